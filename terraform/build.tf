# How source becomes a running function: Terraform uploads an archive, Cloud
# Build compiles it under an account of its own, and the image lands in a
# repository of its own. The project's default compute account has no part.

resource "google_storage_bucket" "source" {
  name                        = local.buckets["source"]
  location                    = var.region
  uniform_bucket_level_access = true
  public_access_prevention    = "enforced"
  force_destroy               = true # Terraform makes the archives again

  dynamic "encryption" {
    for_each = local.kms_key[*]
    content {
      default_kms_key_name = encryption.value
    }
  }

  depends_on = [time_sleep.services]
}

resource "google_artifact_registry_repository" "images" {
  location      = var.region
  repository_id = "${var.prefix}-functions"
  description   = "Images of Planwright's functions"
  format        = "DOCKER"
  kms_key_name  = local.kms_key

  cleanup_policies {
    id     = "keep-the-newest"
    action = "KEEP"
    most_recent_versions {
      keep_count = 5
    }
  }
  cleanup_policies {
    id     = "delete-old"
    action = "DELETE"
    condition {
      older_than = "2592000s"
    }
  }

  depends_on = [time_sleep.services]
}

resource "google_service_account" "build" {
  account_id   = "${var.prefix}-build"
  display_name = "Planwright: builds the functions"

  depends_on = [time_sleep.services]
}

resource "google_artifact_registry_repository_iam_member" "build" {
  location   = google_artifact_registry_repository.images.location
  repository = google_artifact_registry_repository.images.name
  role       = "roles/artifactregistry.writer"
  member     = google_service_account.build.member
}

resource "google_storage_bucket_iam_member" "build" {
  bucket = google_storage_bucket.source.name
  role   = "roles/storage.objectViewer"
  member = google_service_account.build.member
}

# Logs can be granted on the project alone.
resource "google_project_iam_member" "build_logs" {
  project = var.project_id
  role    = "roles/logging.logWriter"
  member  = google_service_account.build.member
}

# Cloud Functions copies each archive into a bucket of its own and builds from
# there. It makes that bucket with the first function, so a grant on the bucket
# would come too late: this one is on the project, for that bucket alone.
resource "google_project_iam_member" "build_copied_source" {
  project = var.project_id
  role    = "roles/storage.objectViewer"
  member  = google_service_account.build.member

  condition {
    title       = "copied function source only"
    description = "The bucket into which Cloud Functions copies source before it builds."
    expression  = local.is_copied_source
  }
}

locals {
  # With a key of one's own the bucket's name goes on with the key's hash.
  # https://cloud.google.com/functions/docs/securing/cmek
  copied_source    = "projects/_/buckets/gcf-v2-sources-${data.google_project.this.number}-${var.region}"
  is_copied_source = var.kms_key == "" ? "resource.name == \"${local.copied_source}\" || resource.name.startsWith(\"${local.copied_source}/objects/\")" : "resource.name.startsWith(\"${local.copied_source}-\")"

  # What all functions share.
  installation = {
    project_id  = time_sleep.services.triggers.project_id # once its APIs are there
    region      = var.region
    prefix      = var.prefix
    kms_key     = local.kms_key
    network     = var.network
    verified_by = var.binary_authorization
  }

  # What functions are built with. Their accounts do not wait for it: the grants of
  # some are among those that must be known.
  build = {
    account    = time_sleep.grants.triggers.account # once all grants are known
    repository = google_artifact_registry_repository.images.id
    bucket     = google_storage_bucket.source.name
  }
}
