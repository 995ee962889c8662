# The APIs. They stay enabled after a destroy: something else may use them.

resource "google_project_service" "needed" {
  for_each = toset([
    "aiplatform.googleapis.com",
    "artifactregistry.googleapis.com",
    "bigquery.googleapis.com",
    "cloudbuild.googleapis.com",
    "cloudfunctions.googleapis.com",
    "cloudresourcemanager.googleapis.com",
    "eventarc.googleapis.com",
    "firestore.googleapis.com",
    "iam.googleapis.com",
    "logging.googleapis.com",
    "monitoring.googleapis.com",
    "pubsub.googleapis.com",
    "run.googleapis.com",
    "storage.googleapis.com",
  ])

  service            = each.value
  disable_on_destroy = false
}

# On a fresh project the services' own accounts appear a while after the API.
resource "time_sleep" "services" {
  create_duration = "60s"
  triggers        = { project_id = var.project_id }

  depends_on = [google_project_service.needed]
}
