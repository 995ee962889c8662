# One function with all that is its own: account, source, database role, and
# who may call it.

resource "google_service_account" "this" {
  project      = var.installation.project_id
  account_id   = "${var.installation.prefix}-${var.name}"
  display_name = "Planwright: runs the ${var.name}"
}

# The role can be granted on the project alone; the condition confines it to
# the function's own database.
resource "google_project_iam_member" "database" {
  count = var.database == null ? 0 : 1

  project = var.installation.project_id
  role    = var.database.role
  member  = google_service_account.this.member

  condition {
    title      = "${var.name} database only"
    expression = "resource.name == \"${var.database.resource}\""
  }
}

module "source" {
  source   = "../source"
  function = var.name
}

data "archive_file" "source" {
  type        = "zip"
  output_path = "${path.root}/.terraform/${var.name}.zip"

  dynamic "source" {
    for_each = module.source.files
    content {
      filename = source.key
      content  = file("${module.source.repository}/${source.value}")
    }
  }
}

# The name holds the hash: other source is another object, and a deployment.
resource "google_storage_bucket_object" "source" {
  bucket       = var.build.bucket
  name         = "${var.name}/${data.archive_file.source.output_sha256}.zip"
  source       = data.archive_file.source.output_path
  content_type = "application/zip"
}

resource "google_cloudfunctions2_function" "this" {
  # Without the secret it does not start.
  depends_on = [google_secret_manager_secret_iam_member.read, var.after]

  project     = var.installation.project_id
  name        = "${var.installation.prefix}-${var.name}"
  location    = var.installation.region
  description = var.description

  kms_key_name = var.installation.kms_key

  build_config {
    runtime           = "go127"
    entry_point       = var.target
    service_account   = var.build.account
    docker_repository = var.build.repository

    # As in the Makefile: Cloud Storage is spoken to over HTTPS alone.
    environment_variables = {
      GOFLAGS = "-tags=disable_grpc_modules"
    }

    source {
      storage_source {
        bucket = google_storage_bucket_object.source.bucket
        object = google_storage_bucket_object.source.name
      }
    }
  }

  service_config {
    service_account_email            = google_service_account.this.email
    available_memory                 = var.size.memory
    available_cpu                    = var.size.cpu
    max_instance_request_concurrency = var.size.concurrency
    timeout_seconds                  = var.size.timeout
    min_instance_count               = var.size.min_instances
    max_instance_count               = var.size.max_instances
    environment_variables            = var.environment
    all_traffic_on_latest_revision   = true

    dynamic "secret_environment_variables" {
      for_each = var.secrets
      content {
        key        = secret_environment_variables.key
        project_id = var.installation.project_id
        secret     = secret_environment_variables.value
        version    = "latest"
      }
    }

    # People and backends call from anywhere, as somebody who may.
    ingress_settings = var.internal ? "ALLOW_INTERNAL_ONLY" : "ALLOW_ALL"

    binary_authorization_policy = var.installation.verified_by
    direct_vpc_egress           = var.installation.network == null ? null : "VPC_EGRESS_ALL_TRAFFIC"

    dynamic "direct_vpc_network_interface" {
      for_each = var.installation.network[*]
      content {
        network    = direct_vpc_network_interface.value.network
        subnetwork = direct_vpc_network_interface.value.subnetwork
        tags       = direct_vpc_network_interface.value.tags
      }
    }
  }
}

resource "google_secret_manager_secret_iam_member" "read" {
  for_each = var.secrets

  project   = var.installation.project_id
  secret_id = each.value
  role      = "roles/secretmanager.secretAccessor"
  member    = google_service_account.this.member
}

# A function of the second generation is a Cloud Run service: that is where
# calling it is granted. A function that is replaced takes its grants with it.
resource "google_cloud_run_v2_service_iam_member" "invoker" {
  for_each = var.invokers

  project  = var.installation.project_id
  location = var.installation.region
  name     = google_cloudfunctions2_function.this.name
  role     = "roles/run.invoker"
  member   = each.value

  lifecycle {
    replace_triggered_by = [google_cloudfunctions2_function.this.id]
  }
}
