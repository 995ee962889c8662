# How the inbox's events reach the executor. Cloud Storage publishes each new
# object to a topic, and Pub/Sub pushes it to the executor until that accepts
# it, or puts it among the dead letters after a hundred deliveries. The
# subscription is our own, not one of Eventarc's, so that dead letters, backoff
# and retention can be said here, and no role on the whole project is needed.
# https://cloud.google.com/storage/docs/pubsub-notifications
# https://cloud.google.com/run/docs/triggering/pubsub-push

resource "google_pubsub_topic" "events" {
  for_each = {
    inbox        = "${var.prefix}-inbox"
    dead_letters = "${var.prefix}-dead-letters"
  }

  name         = each.value
  kms_key_name = local.kms_key

  message_storage_policy {
    allowed_persistence_regions = [var.region]
  }

  depends_on = [time_sleep.services]
}

resource "google_storage_notification" "inbox" {
  bucket         = google_storage_bucket.data["inbox"].name
  topic          = google_pubsub_topic.events["inbox"].id
  event_types    = ["OBJECT_FINALIZE"]
  payload_format = "JSON_API_V1"

  # What is published without a subscription is lost.
  depends_on = [time_sleep.grants, google_pubsub_subscription.executor]
}

resource "google_pubsub_subscription" "executor" {
  name  = "${var.prefix}-executor"
  topic = google_pubsub_topic.events["inbox"].id

  # The longest that Pub/Sub waits; a delivery ends after event_timeout.
  ack_deadline_seconds       = 600
  message_retention_duration = "${7 * 24 * 3600}s"

  retry_policy {
    minimum_backoff = "10s"
    maximum_backoff = "600s"
  }

  dead_letter_policy {
    dead_letter_topic     = google_pubsub_topic.events["dead_letters"].id
    max_delivery_attempts = 100 # the most there can be, some 16 hours
  }

  push_config {
    # The functions framework reads the topic from the path.
    push_endpoint = "${module.executor.url}/${google_pubsub_topic.events["inbox"].id}"

    oidc_token {
      service_account_email = google_service_account.trigger.email
      audience              = module.executor.url
    }
  }

  # Without it, a subscription that is quiet for 31 days is deleted.
  expiration_policy {
    ttl = ""
  }

  depends_on = [time_sleep.grants]
}

# Somebody should look at what lies here: an alert tells of it.
resource "google_pubsub_subscription" "dead_letters" {
  name                       = "${var.prefix}-dead-letters"
  topic                      = google_pubsub_topic.events["dead_letters"].id
  message_retention_duration = "${31 * 24 * 3600}s"

  expiration_policy {
    ttl = ""
  }
}

# As whom Pub/Sub calls the executor. It may do that, and nothing else.
resource "google_service_account" "trigger" {
  account_id   = "${var.prefix}-trigger"
  display_name = "Planwright: delivers the inbox's events"

  depends_on = [time_sleep.services]
}

resource "google_service_account_iam_member" "trigger_token" {
  service_account_id = google_service_account.trigger.name
  role               = "roles/iam.serviceAccountOpenIdTokenCreator"
  member             = local.agents["pubsub.googleapis.com"]

  depends_on = [terraform_data.agent]
}

resource "google_pubsub_topic_iam_member" "storage_publishes" {
  topic  = google_pubsub_topic.events["inbox"].id
  role   = "roles/pubsub.publisher"
  member = data.google_storage_project_service_account.this.member
}

# To put a message among the dead letters Pub/Sub publishes it there and
# acknowledges it here.
resource "google_pubsub_topic_iam_member" "dead_letters" {
  topic  = google_pubsub_topic.events["dead_letters"].id
  role   = "roles/pubsub.publisher"
  member = local.agents["pubsub.googleapis.com"]

  depends_on = [terraform_data.agent]
}

resource "google_pubsub_subscription_iam_member" "dead_letters" {
  subscription = google_pubsub_subscription.executor.name
  role         = "roles/pubsub.subscriber"
  member       = local.agents["pubsub.googleapis.com"]

  depends_on = [terraform_data.agent]
}
