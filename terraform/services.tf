# The APIs. They stay enabled after a destroy: something else may use them.

resource "google_project_service" "needed" {
  for_each = toset(concat([
    "artifactregistry.googleapis.com",
    "bigquery.googleapis.com",
    "cloudbuild.googleapis.com",
    "cloudfunctions.googleapis.com",
    "cloudresourcemanager.googleapis.com",
    "cloudscheduler.googleapis.com",
    "firestore.googleapis.com",
    "iam.googleapis.com",
    "logging.googleapis.com",
    "monitoring.googleapis.com",
    "pubsub.googleapis.com",
    "run.googleapis.com",
    "storage.googleapis.com",
    ],
    var.gemini == null ? [] : ["aiplatform.googleapis.com"],
    local.console ? ["iap.googleapis.com"] : [],
    var.budget == null ? [] : ["billingbudgets.googleapis.com"],
    var.kms_key == "" ? [] : ["cloudkms.googleapis.com"],
    var.pipeline == null ? [] : ["compute.googleapis.com", "dataflow.googleapis.com"],
    var.audit_key_secret == "" && length(local.notify_secrets) == 0 && var.shop == null ? [] : ["secretmanager.googleapis.com"],
  ))

  service            = each.value
  disable_on_destroy = false
}

# An API is known everywhere only a while after it was enabled, and until then
# it answers that it has not been used. So all that calls one waits for this,
# and waits again where an API is added.
resource "time_sleep" "services" {
  create_duration = "90s"
  triggers = {
    project_id = var.project_id
    services   = join(" ", keys(google_project_service.needed))
  }

  depends_on = [google_project_service.needed]
}

# Google's own accounts in the project, its service agents, to whom roles are
# granted, and as whom functions are built and run. Enabling an API makes its
# agent late or not at all; this call does, and may be repeated.
# https://cloud.google.com/iam/docs/create-service-agents
#
# The google provider has no resource for it. google-beta has one, as a second provider
# of beta resources for a single call; a runner without gcloud installs gcloud instead.
locals {
  agent = "service-${data.google_project.this.number}"

  agents = merge(
    {
      "artifactregistry.googleapis.com" = "serviceAccount:${local.agent}@gcp-sa-artifactregistry.iam.gserviceaccount.com"
      "cloudfunctions.googleapis.com"   = "serviceAccount:${local.agent}@gcf-admin-robot.iam.gserviceaccount.com"
      "pubsub.googleapis.com"           = "serviceAccount:${local.agent}@gcp-sa-pubsub.iam.gserviceaccount.com"
      "run.googleapis.com"              = "serviceAccount:${local.agent}@serverless-robot-prod.iam.gserviceaccount.com"
    },
    local.console ? {
      "iap.googleapis.com" = "serviceAccount:${local.agent}@gcp-sa-iap.iam.gserviceaccount.com"
    } : {},
    var.kms_key == "" ? {} : {
      "firestore.googleapis.com" = "serviceAccount:${local.agent}@gcp-sa-firestore.iam.gserviceaccount.com"
    },
  )
}

resource "terraform_data" "agent" {
  for_each = local.agents

  triggers_replace = each.value

  provisioner "local-exec" {
    command = "gcloud beta services identity create --quiet --service=${each.key} --project=${var.project_id}"
  }

  depends_on = [time_sleep.services]
}

# Cloud Storage's agent is made by asking for it.
data "google_storage_project_service_account" "this" {}

# Grants take two minutes to be known everywhere, and sometimes seven. A build, a
# notification and the start with a secret that come before them are refused.
# https://cloud.google.com/iam/docs/access-change-propagation
resource "time_sleep" "grants" {
  create_duration = "240s"
  triggers        = merge({ account = google_service_account.build.id }, var.shop == null ? {} : { SHOP = join(" ", module.shops[0].may_read) }, { for name, secret in merge(local.notify_secrets, { AUDIT_KEY = var.audit_key_secret }) : name => secret if secret != "" })

  depends_on = [
    terraform_data.agent,
    google_artifact_registry_repository_iam_member.build,
    google_storage_bucket_iam_member.build,
    google_project_iam_member.build_logs,
    google_project_iam_member.build_copied_source,
    google_service_account_iam_member.trigger_token,
    google_pubsub_topic_iam_member.storage_publishes,
    google_pubsub_topic_iam_member.dead_letters,
    module.executor.may_read,
    module.sweeper.may_read,
  ]
}

moved {
  from = time_sleep.build_grants
  to   = time_sleep.grants
}
