# Values that are refused, several at once: planning takes long.

mock_provider "google" {}
mock_provider "archive" {}
mock_provider "time" {}

variables {
  project_id = "test-project-1"
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
    access          = { planner_callers = ["allUsers"] }
    project_id      = "123456789012"
    prefix          = "a-prefix-of-21-letter"
    region          = "europe-west1-b"
    audit_retention = { days = 0 }
    gemini          = { timeout = "120s" }
    tables          = { blank_price = "zero" }
    session_days    = 0.5
    alert_emails    = ["ana"]
    sizes           = { session = { min_instances = 3, max_instances = 2 } }
  }
  expect_failures = [
    var.access, var.project_id, var.prefix, var.region, var.audit_retention,
    var.gemini, var.tables, var.session_days, var.alert_emails, var.sizes,
  ]
}

run "everybody_with_an_account" {
  command = plan
  variables {
    access = { uploaders = ["allAuthenticatedUsers"] }
    prefix = "Shop"
    gemini = { timeout = "1m" }
  }
  expect_failures = [var.access, var.prefix, var.gemini]
}

run "a_whole_domain" {
  command = plan
  variables {
    access = { auditors = ["domain:example.com"] }
    prefix = "two--hyphens"
  }
  expect_failures = [var.access, var.prefix]
}
