# The pages for people who sign in, where access.console_users names some: behind
# Identity-Aware Proxy, whose agent alone may call them. They call the functions with an
# account of their own and with what the proxy says of the person, who is on record.

locals {
  console = length(var.access.console_users) > 0

  # Where people open them, and where links in notices lead.
  console_url = var.public_url != "" ? var.public_url : local.addresses["pages"]
  public_url  = local.console ? local.console_url : var.public_url

  # For whom the proxy speaks.
  # https://cloud.google.com/iap/docs/signed-headers-howto
  iap_audience = "/projects/${data.google_project.this.number}/locations/${var.region}/services/${var.prefix}-pages"

  # What the functions behind them know of them.
  console_environment = local.console ? {
    CONSOLE_ACCOUNT = trimprefix(module.console[0].member, "serviceAccount:")
    IAP_AUDIENCE    = local.iap_audience
  } : {}
}

# Cloud Run builds no source for Terraform, and Cloud Functions knows no proxy. So this
# function is built as the others are, nobody may call it, and its image is what runs
# below.
module "console" {
  source = "./modules/function"
  count  = local.console ? 1 : 0

  name         = "console"
  description  = "Builds the pages. Nobody calls it: see ${var.prefix}-pages."
  target       = "Console"
  installation = local.installation
  build        = local.build
  invokers     = {}
  internal     = true
  environment  = {}
  size         = { memory = "256Mi", cpu = "1", concurrency = 1, timeout = 60, min_instances = 0, max_instances = 1 }
}

data "google_cloud_run_v2_service" "console" {
  count = local.console ? 1 : 0

  name     = module.console[0].name
  location = var.region

  depends_on = [module.console]
}

resource "google_cloud_run_v2_service" "pages" {
  count = local.console ? 1 : 0

  name                = "${var.prefix}-pages"
  description         = "The pages, behind Identity-Aware Proxy."
  location            = var.region
  ingress             = "INGRESS_TRAFFIC_ALL"
  iap_enabled         = true
  deletion_protection = false # it keeps nothing

  template {
    service_account                  = trimprefix(module.console[0].member, "serviceAccount:")
    timeout                          = "600s"
    max_instance_request_concurrency = 500 # a page that keeps itself up to date is a request that waits
    encryption_key                   = local.kms_key

    scaling {
      min_instance_count = 0
      max_instance_count = 3
    }

    containers {
      image = one(one(data.google_cloud_run_v2_service.console[0].template).containers).image

      resources {
        limits = { cpu = "1", memory = "512Mi" }
      }

      dynamic "env" {
        for_each = merge(var.gemini == null ? {} : { SESSION_URL = local.addresses["session"] }, {
          FUNCTION_TARGET      = "Console"
          GOOGLE_CLOUD_PROJECT = var.project_id
          PLANNER_URL          = local.addresses["planner"]
          PUBLIC_URL           = local.console_url
          IAP_AUDIENCE         = local.iap_audience
        })
        content {
          name  = env.key
          value = env.value
        }
      }
    }

    dynamic "vpc_access" {
      for_each = var.network[*]
      content {
        egress = "ALL_TRAFFIC"
        network_interfaces {
          network    = vpc_access.value.network
          subnetwork = vpc_access.value.subnetwork
          tags       = vpc_access.value.tags
        }
      }
    }
  }

  dynamic "binary_authorization" {
    for_each = var.binary_authorization[*]
    content {
      use_default = binary_authorization.value == "default" ? true : null
      policy      = binary_authorization.value == "default" ? null : binary_authorization.value
    }
  }
}

# The proxy alone calls it; who comes past it is refused by Cloud Run, and once more by
# the pages, which believe its signature only.
resource "google_cloud_run_v2_service_iam_member" "proxy" {
  count = local.console ? 1 : 0

  location = var.region
  name     = google_cloud_run_v2_service.pages[0].name
  role     = "roles/run.invoker"
  member   = local.agents["iap.googleapis.com"]

  depends_on = [terraform_data.agent]
}

resource "google_iap_web_cloud_run_service_iam_member" "user" {
  for_each = var.access.console_users

  project                = var.project_id
  location               = var.region
  cloud_run_service_name = google_cloud_run_v2_service.pages[0].name
  role                   = "roles/iap.httpsResourceAccessor"
  member                 = each.value
}

# What the pages show of files: how large a table is that was handed in, and what an
# execution has written, to download. They write nowhere: tables are held and handed in
# by the planner.
resource "google_storage_bucket_iam_member" "console" {
  for_each = toset(local.console ? ["inbox", "outbox"] : [])

  bucket = google_storage_bucket.data[each.value].name
  role   = "roles/storage.objectViewer"
  member = module.console[0].member
}
