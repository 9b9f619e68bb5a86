<?php

namespace Svc;

/** The request is not from Svc, or it was changed. Answer it with 400. */
final class WebhookVerificationError extends \RuntimeException
{
}
