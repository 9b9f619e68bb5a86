{{- define "svc.name" -}}
{{ .Release.Name | trunc 50 | trimSuffix "-" }}
{{- end }}

{{- define "svc.labels" -}}
{{ include "svc.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{/* The pods that get traffic. Those of the jobs have another name. */}}
{{- define "svc.selector" -}}
app.kubernetes.io/name: svc
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "svc.image" -}}
{{- $repository := required "Set image.repository to the repository that you push the image to." .Values.image.repository -}}
{{- if .Values.image.digest -}}
{{ $repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ $repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}
{{- end }}

{{/* The settings that follow from the values, as a map. */}}
{{- define "svc.settings" -}}
SVC_ENVIRONMENT: production
SVC_HOST: 0.0.0.0
PORT: 4000
SVC_DRAIN_SECONDS: {{ .Values.drainSeconds }}
SVC_PUBLIC_ORIGIN: {{ required "Set publicOrigin to the https origin that partners and tenants use." .Values.publicOrigin | quote }}
SVC_LENDER_NAME: {{ required "Set lender.name." .Values.lender.name | quote }}
SVC_LENDER_ADDRESS: {{ required "Set lender.address." .Values.lender.address | quote }}
SVC_SUPPORT_EMAIL: {{ required "Set lender.supportEmail." .Values.lender.supportEmail | quote }}
DATABASE_URL_FILE: /etc/svc/secrets/database_url
SVC_SECRET_KEY_FILE: /etc/svc/secrets/svc_secret_key
{{- if .Values.mail.enabled }}
SVC_MAIL_FROM: {{ required "Set mail.from, or mail.enabled=false." .Values.mail.from | quote }}
SVC_SMTP_URL_FILE: /etc/svc/secrets/svc_smtp_url
{{- else }}
SVC_MAIL: none
{{- end }}
{{- if eq .Values.processor.kind "stripe" }}
SVC_PROCESSOR: stripe
STRIPE_SECRET_KEY_FILE: /etc/svc/secrets/stripe_secret_key
STRIPE_WEBHOOK_SECRET_FILE: /etc/svc/secrets/stripe_webhook_secret
{{- else if eq .Values.processor.kind "ach" }}
SVC_PROCESSOR: ach
SVC_ACH_FOLDER: /var/lib/svc/ach
SVC_ACH_BANK_ROUTING_NUMBER: {{ required "Set processor.ach.bankRoutingNumber." .Values.processor.ach.bankRoutingNumber | quote }}
SVC_ACH_BANK_NAME: {{ required "Set processor.ach.bankName." .Values.processor.ach.bankName | quote }}
SVC_ACH_ORIGIN_ID: {{ required "Set processor.ach.originId." .Values.processor.ach.originId | quote }}
SVC_ACH_COMPANY_ID: {{ required "Set processor.ach.companyId." .Values.processor.ach.companyId | quote }}
SVC_ACH_COMPANY_NAME: {{ required "Set processor.ach.companyName." .Values.processor.ach.companyName | quote }}
{{- end }}
{{- with .Values.trustedProxies }}
SVC_TRUSTED_PROXIES: {{ join "," . | quote }}
{{- end }}
{{- if .Values.metrics.enabled }}
SVC_METRICS_HOST: 0.0.0.0
SVC_METRICS_PORT: {{ .Values.metrics.port }}
SVC_METRICS_TOKEN_FILE: /etc/svc/secrets/svc_metrics_token
{{- end }}
{{- end }}

{{/* The environment of every container. In the pod itself, so that a change of a setting restarts the pods. */}}
{{- define "svc.env" -}}
{{- $settings := include "svc.settings" . | fromYaml -}}
{{- range $name, $value := .Values.settings -}}
{{- if hasKey $settings $name -}}
{{- fail (printf "The chart sets %s itself. Use the value that it has for it." $name) -}}
{{- end -}}
{{- end -}}
{{- range $name, $value := merge $settings .Values.settings }}
- name: {{ $name }}
  value: {{ $value | toString | quote }}
{{- end }}
{{- end }}

{{- define "svc.pod" -}}
automountServiceAccountToken: false
# Kubernetes would otherwise set SVC_PORT and others, which look like settings.
enableServiceLinks: false
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "svc.container" -}}
image: {{ include "svc.image" . | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
env: {{- include "svc.env" . | nindent 2 }}
volumeMounts:
  - name: secrets
    mountPath: /etc/svc/secrets
    readOnly: true
{{- end }}
