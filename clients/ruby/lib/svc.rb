require 'json'
require 'openssl'
require 'securerandom'
require 'uri'
require 'svc_api'

# Svc for a partner's backend: API client, widget signature and webhook verification.
module Svc
  # A failed call: +code+ is stable, and the message says what to do.
  class Error < StandardError
    attr_reader :status, :code, :request_id

    def initialize(status, code, message, request_id)
      super(message)
      @status = status
      @code = code
      @request_id = request_id
    end
  end

  # The request is not from Svc, or it was changed. Answer it with 400.
  class WebhookVerificationError < StandardError; end

  # Adds an Idempotency-Key, so that the service does a call once, and raises Svc::Error.
  class ApiClient < SvcApi::ApiClient
    def call_api(http_method, path, opts = {})
      headers = opts[:header_params] || {}
      if %i[POST PATCH].include?(http_method) && !headers.key?(:'Idempotency-Key')
        headers = headers.merge('Idempotency-Key': SecureRandom.uuid)
      end
      super(http_method, path, opts.merge(header_params: headers))
    rescue SvcApi::ApiError => e
      raise Svc.error_of(e)
    end
  end

  # The partner API. Each group of calls is a method, such as +client.tenants+.
  class Client
    GROUPS = {
      tenants: SvcApi::TenantsApi, plans_and_settlements: SvcApi::PlansAndSettlementsApi,
      simulation: SvcApi::SimulationApi, events: SvcApi::EventsApi,
      webhook_endpoints: SvcApi::WebhookEndpointsApi, webhook_messages: SvcApi::WebhookMessagesApi,
      webhook_replays: SvcApi::WebhookReplaysApi, partner: SvcApi::PartnerApi,
      appearance: SvcApi::AppearanceApi
    }.freeze
    attr_reader(*GROUPS.keys)

    # +base_url+ ends with +/v1+.
    def initialize(api_key:, base_url:)
      config = SvcApi::Configuration.new
      address = URI(base_url)
      config.scheme = address.scheme
      config.host = "#{address.host}:#{address.port}"
      config.base_path = address.path
      config.server_index = nil
      config.access_token = api_key
      api = ApiClient.new(config)
      GROUPS.each { |name, group| instance_variable_set("@#{name}", group.new(api)) }
    end
  end

  # The items of all pages. The block takes a cursor, or nil for the first page.
  def self.pages
    Enumerator.new do |items|
      cursor = nil
      loop do
        page = yield(cursor).data
        page.items.each { |item| items << item }
        cursor = page.next_cursor
        break if cursor.nil?
      end
    end
  end

  # The widget's signature. It never expires, so it can be cached.
  def self.sign_widget(api_key, pms, external_id)
    OpenSSL::HMAC.hexdigest('SHA256', api_key, "#{pms}+#{external_id}")
  end

  # Returns the event if Svc sent it recently. +body+ is the text as received. +secret+ is the endpoint's whsec_
  # secret or whpk_ public key, or an array of them during a rotation. An event of a known type is a model such as
  # SvcApi::SettlementCreatedEvent; any other is an SvcApi::Event.
  def self.verify_webhook(body, headers, secret, tolerance_seconds: 300, now: Time.now.to_i)
    verifiers = Array(secret).map { |one| verifier_of(one) }
    raise ArgumentError, 'There is no secret or public key to verify with.' if verifiers.empty?

    received = headers.to_h { |name, value| [name.to_s.downcase, value] }
    id, timestamp, signatures = %w[id timestamp signature].map do |part|
      received["webhook-#{part}"] or raise WebhookVerificationError, "The request lacks webhook-#{part}."
    end
    raise WebhookVerificationError, 'webhook-timestamp is not a number of seconds.' unless timestamp.match?(/\A\d{1,12}\z/)
    if (now - timestamp.to_i).abs > tolerance_seconds
      raise WebhookVerificationError, "The message is too old, or this machine's clock is wrong."
    end

    signed = "#{id}.#{timestamp}.".b + body.b
    matches = verifiers.flat_map do |version, verifies|
      same_version = signatures.split.select { |signature| signature.start_with?(version) }
      same_version.map { |signature| verifies.call(signed, signature.delete_prefix(version)) }
    end
    if matches.empty?
      raise WebhookVerificationError, "No signature is of your key's kind: a whsec_ secret verifies v1, and a whpk_ " \
                                      'key verifies v1a, which an endpoint with asymmetric_signature sends.'
    end
    if matches.none?
      raise WebhookVerificationError, 'No signature matches. Pass the body as received, and this ' \
                                      "endpoint's secret or public key."
    end

    event = JSON.parse(body, symbolize_names: true)
    name = "#{event[:type].split(/[._]/).map(&:capitalize).join}Event"
    known = !event[:custom] && SvcApi.const_defined?(name, false)
    (known ? SvcApi.const_get(name, false) : SvcApi::Event).build_from_hash(event)
  end

  # The version of the signatures that a secret or public key verifies, and a function that verifies one.
  # @api private
  def self.verifier_of(secret)
    return ['v1a,', public_key_verifier(decode(secret.delete_prefix('whpk_')))] if secret.start_with?('whpk_')

    key = decode(secret.delete_prefix('whsec_'))
    raise ArgumentError, 'The secret is not whsec_ followed by base64.' if key.nil? || key.empty?

    verifies = lambda do |signed, signature|
      OpenSSL.secure_compare(signature, [OpenSSL::HMAC.digest('SHA256', key, signed)].pack('m0'))
    end
    ['v1,', verifies]
  end

  # What precedes the 32 bytes of an ed25519 key in DER (RFC 8410). Ruby 3.1 reads no raw keys.
  DER_PREFIX = ['302a300506032b6570032100'].pack('H*').freeze
  private_constant :DER_PREFIX

  # @api private
  def self.public_key_verifier(key)
    unless key&.bytesize == 32
      raise ArgumentError, 'The public key is not whpk_ followed by the base64 of 32 bytes.'
    end

    public_key = OpenSSL::PKey.read(DER_PREFIX + key)
    lambda do |signed, signature|
      bytes = decode(signature)
      bytes&.bytesize == 64 && public_key.verify(nil, bytes, signed)
    end
  end

  # @api private
  def self.decode(base64)
    base64.unpack1('m0')
  rescue ArgumentError
    nil
  end

  # @api private
  def self.error_of(exception)
    error = JSON.parse(exception.response_body.to_s).fetch('error')
    Error.new(exception.code, error['code'], error['message'], error['request_id'])
  rescue JSON::ParserError, KeyError
    Error.new(exception.code, 'unknown', exception.message, nil)
  end
end
