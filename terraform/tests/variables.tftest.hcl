# Values that are refused, several at once: planning takes long.

mock_provider "google" {}
mock_provider "archive" {}
mock_provider "time" {}

override_data {
  target = data.google_project.this
  values = { number = "123456789012" }
}

override_data {
  target = data.google_storage_project_service_account.this
  values = { member = "serviceAccount:storage@test" }
}

# Every variable, so that a terraform.tfvars beside the configuration changes
# nothing here.
variables {
  project_id            = "test-project-1"
  region                = "us-central1"
  prefix                = "planwright"
  labels                = {}
  access                = {}
  gemini                = {}
  tables                = {}
  approval              = {}
  roles                 = {}
  session_days          = 30
  session_user          = "named"
  sizes                 = {}
  audit_retention       = { locked = true }
  table_days            = {}
  audit_epoch           = 0
  token_audiences       = []
  audit_key_secret      = "planwright-audit-key"
  public_url            = ""
  notify_url_secret     = ""
  notify_signing_secret = ""
  notices               = null
  shop                  = null
  alert_emails          = []
  deletion_protection   = true
  drain                 = true
  data_access_logs      = true
  budget                = null
  kms_key               = ""
  network               = null
  binary_authorization  = null
  pipeline              = null
}

run "nobody_is_let_in_by_default" {
  command = plan

  assert {
    condition = (
      length(module.planner.configured.invokers) + length(module.session.configured.invokers) +
      length(google_storage_bucket_iam_member.uploader) + length(google_storage_bucket_iam_member.auditor) == 0
    )
    error_message = "Without access nobody may do anything."
  }
}

run "outsiders_and_misfits" {
  command = plan
  variables {
    access           = { planner_callers = ["allUsers"] }
    project_id       = "123456789012"
    prefix           = "a-prefix-of-21-letter"
    region           = "europe-west1-b"
    audit_retention  = { days = 0 }
    gemini           = { timeout = "120s" }
    tables           = { blank_price = "zero" }
    approval         = { needed = "sometimes", over_rows = 0.5, over_percent = 0 }
    session_days     = 0.5
    session_user     = "anybody"
    alert_emails     = ["ana"]
    sizes            = { session = { min_instances = 3, max_instances = 2 } }
    table_days       = { inbox = 7 }
    audit_key_secret = "projects/p/secrets/s"
    audit_epoch      = -1
    budget           = { billing_account = "mine", monthly = 10 }
    roles            = { planners = ["group:shop@example.com"] }
    public_url       = "planwright.example.com"
  }
  expect_failures = [
    var.access, var.project_id, var.prefix, var.region, var.audit_retention,
    var.gemini, var.tables, var.approval, var.session_days, var.session_user, var.alert_emails, var.sizes,
    var.table_days, var.audit_key_secret, var.audit_epoch, var.budget,
    var.roles, var.public_url,
  ]
}

run "everybody_with_an_account" {
  command = plan
  variables {
    access = { uploaders = ["allAuthenticatedUsers"] }
    prefix = "Shop"
    gemini = { timeout = "1m" }
    tables = { unmatched = "keep", near_names = "allow", sale_dates = "keep", in_stock_quantity = 0.5 }
  }
  expect_failures = [var.access, var.prefix, var.gemini, var.tables]
}

run "a_whole_domain" {
  command = plan
  variables {
    access = { auditors = ["domain:example.com"] }
    prefix = "two--hyphens"
  }
  expect_failures = [var.access, var.prefix]
}

run "a_webhook_without_its_key" {
  command = plan
  variables {
    public_url        = "https://planwright.example.com"
    notify_url_secret = "planwright-notify-url"
  }
  expect_failures = [var.notify_signing_secret]
}

run "in_another_region" {
  command = plan
  variables {
    region            = "europe-west1"
    gemini            = { location = "europe-west1" }
    budget            = { billing_account = "012345-6789AB-CDEF01", monthly = 0 }
    kms_key           = "projects/keys/locations/us-central1/keyRings/shop/cryptoKeys/planwright"
    notify_url_secret = "https://hooks.slack.com/services/x"
    notices           = { approvers = "told-approvers" }
  }
  expect_failures = [var.gemini, var.budget, var.kms_key, var.notify_url_secret, var.notices]
}

run "gemini_where_it_is_served" {
  command = plan
  variables {
    region = "europe-west1"
    gemini = { location = "eu" }
  }

  assert {
    condition     = module.planner.configured.environment.GOOGLE_CLOUD_LOCATION == "eu" && module.session.configured.environment.GOOGLE_CLOUD_LOCATION == "eu"
    error_message = "The functions must ask the model where the data may live."
  }
}

run "conversations_without_a_model" {
  command = plan
  variables {
    gemini = null
    access = { session_callers = ["serviceAccount:backend@example.iam.gserviceaccount.com"] }
  }
  expect_failures = [output.session_url]
}

run "no_model" {
  command = plan
  variables {
    gemini = null
    access = { console_users = ["user:ana@example.com"] }
  }

  assert {
    condition     = !anytrue([for name in keys(merge(module.planner.configured.environment, module.session.configured.environment)) : startswith(name, "GEMINI") || startswith(name, "GOOGLE_GENAI") || name == "GOOGLE_CLOUD_LOCATION"])
    error_message = "Without a model the functions are told of none."
  }
  assert {
    condition = (
      length(google_project_iam_member.planner_model) + length(google_project_iam_member.session_model) + length(google_monitoring_alert_policy.planned_without_model) == 0 &&
      !contains(keys(google_project_service.needed), "aiplatform.googleapis.com")
    )
    error_message = "Without a model nobody may ask one, and no alert tells that none was asked."
  }
  assert {
    condition     = !contains([for env in one(one(google_cloud_run_v2_service.pages[0].template).containers).env : env.name], "SESSION_URL")
    error_message = "Without a model the pages have no goal planning."
  }
}
