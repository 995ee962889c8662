# What an installation must be. Everything is planned and nothing is made: the
# providers are mocked, so no credentials are needed.

mock_provider "google" {}
mock_provider "archive" {}
mock_provider "time" {}

override_resource {
  target          = module.planner.google_service_account.this
  override_during = plan
  values          = { email = "planner@test", member = "serviceAccount:planner@test" }
}

override_resource {
  target          = module.executor.google_service_account.this
  override_during = plan
  values          = { email = "executor@test", member = "serviceAccount:executor@test" }
}

override_resource {
  target          = module.session.google_service_account.this
  override_during = plan
  values          = { email = "session@test", member = "serviceAccount:session@test" }
}

override_resource {
  target          = google_service_account.trigger
  override_during = plan
  values          = { email = "trigger@test", member = "serviceAccount:trigger@test" }
}

override_resource {
  target          = google_service_account.build
  override_during = plan
  values          = { id = "projects/test/serviceAccounts/build@test", email = "build@test", member = "serviceAccount:build@test" }
}

variables {
  project_id = "test-project-1"
  prefix     = "shop"
  access = {
    planner_callers = ["user:ana@example.com"]
    session_callers = ["serviceAccount:backend@test-project-1.iam.gserviceaccount.com"]
    uploaders       = ["group:shop@example.com"]
    auditors        = ["group:finance@example.com"]
  }
  tables       = { columns = "sku=Variant SKU,price=Variant Price" }
  alert_emails = ["ana@example.com"]
}

# One plan for all of it: planning takes long, asserting does not.
run "installation" {
  command = plan

  # How the functions run.
  assert {
    condition     = module.executor.configured.ingress == "ALLOW_INTERNAL_ONLY"
    error_message = "The executor must be reachable from inside Google Cloud only."
  }
  assert {
    condition     = module.executor.configured.retry == "RETRY_POLICY_RETRY"
    error_message = "Without retries a failed delivery loses its event."
  }
  assert {
    condition     = module.planner.configured.retry == null && module.session.configured.retry == null
    error_message = "Only the executor has a trigger."
  }
  assert {
    condition     = module.executor.configured.size.concurrency == 1 && module.executor.configured.size.timeout == 540
    error_message = "The executor takes one table at a time, for as long as an event may take."
  }
  assert {
    condition = alltrue([
      for function in [module.planner, module.executor, module.session] : function.configured.runtime == "go126"
    ])
    error_message = "The functions run on go126, which go.mod is held to."
  }

  # environment.json is written from the functions' Config by
  #   go test ./terraform -update
  assert {
    condition     = setunion(keys(module.planner.configured.environment), ["GOOGLE_API_KEY"]) == toset(jsondecode(file("./environment.json")).planner)
    error_message = "The planner is given ${join(" ", keys(module.planner.configured.environment))}; its Config reads what environment.json says."
  }
  assert {
    condition     = setsubtract(keys(module.executor.configured.environment), ["CLOUD_RUN_TIMEOUT_SECONDS"]) == toset(jsondecode(file("./environment.json")).executor)
    error_message = "The executor is given ${join(" ", keys(module.executor.configured.environment))}; its Config reads what environment.json says."
  }
  assert {
    condition     = setunion(keys(module.session.configured.environment), ["GOOGLE_API_KEY"]) == toset(jsondecode(file("./environment.json")).session)
    error_message = "The session function is given ${join(" ", keys(module.session.configured.environment))}; its Config reads what environment.json says."
  }
  assert {
    condition = (
      module.planner.configured.environment.FIRESTORE_DATABASE == "shop-pricing" &&
      module.executor.configured.environment.FIRESTORE_DATABASE == "shop-pricing" &&
      module.session.configured.environment.FIRESTORE_DATABASE == "shop-sessions"
    )
    error_message = "Planner and executor share the pricing database; the session function has its own."
  }
  assert {
    condition     = module.planner.configured.environment.INBOX_BUCKET == module.executor.configured.environment.INBOX_BUCKET
    error_message = "The planner must show people the bucket that triggers the executor."
  }
  assert {
    condition     = module.executor.configured.environment.CLOUD_RUN_TIMEOUT_SECONDS == tostring(module.executor.configured.size.timeout)
    error_message = "The executor's deadline is the platform's."
  }

  # Who may call what.
  assert {
    condition     = module.planner.configured.invokers == { "user:ana@example.com" = "roles/run.invoker" }
    error_message = "The planner is called by those in access.planner_callers."
  }
  assert {
    condition     = module.session.configured.invokers == { "serviceAccount:backend@test-project-1.iam.gserviceaccount.com" = "roles/run.invoker" }
    error_message = "The session function is called by those in access.session_callers."
  }
  assert {
    condition     = module.executor.configured.invokers == { trigger = "roles/run.invoker" }
    error_message = "The executor is called by the trigger alone."
  }

  # The buckets.
  assert {
    condition = alltrue([
      for bucket in concat(values(google_storage_bucket.data), [google_storage_bucket.source]) :
      bucket.public_access_prevention == "enforced" && bucket.uniform_bucket_level_access
    ])
    error_message = "Every bucket must prevent public access and have uniform access."
  }
  assert {
    condition     = length(distinct([for bucket in google_storage_bucket.data : bucket.name])) == 3
    error_message = "Inbox, outbox and audit are three buckets."
  }
  assert {
    condition = google_storage_bucket.data["inbox"].versioning[0].enabled && anytrue([
      for rule in google_storage_bucket.data["inbox"].lifecycle_rule :
      one(rule.action).type == "Delete" && one(rule.condition).days_since_noncurrent_time == 7
    ])
    error_message = "The inbox keeps overwritten versions for 7 days."
  }
  assert {
    condition = alltrue(flatten([
      for bucket in google_storage_bucket.data : [
        for rule in bucket.lifecycle_rule : one(rule.condition).with_state == "ARCHIVED" if one(rule.action).type == "Delete"
      ]
    ]))
    error_message = "No lifecycle rule may delete a live object."
  }
  assert {
    condition     = google_storage_bucket.data["audit"].retention_policy[0].retention_period == tostring(365 * 24 * 3600)
    error_message = "The audit bucket keeps everything for audit_retention.days."
  }
  assert {
    condition     = !google_storage_bucket.data["audit"].retention_policy[0].is_locked
    error_message = "The lock cannot be undone, so it is asked for."
  }
  assert {
    condition     = alltrue([for bucket in google_storage_bucket.data : !bucket.force_destroy])
    error_message = "Buckets with objects are protected from deletion."
  }

  # Who may read and write objects.
  assert {
    condition = { for key, grant in google_storage_bucket_iam_member.executor : "${trimprefix(grant.bucket, "test-project-1-shop-")} ${grant.role}" => key } == {
      "inbox roles/storage.objectViewer"   = "read_inbox"
      "outbox roles/storage.objectCreator" = "create_outbox"
      "outbox roles/storage.objectViewer"  = "read_outbox"
      "audit roles/storage.objectCreator"  = "create_audit"
      "audit roles/storage.objectViewer"   = "read_audit"
    }
    error_message = "The executor reads the inbox, and creates and reads in outbox and audit; it can neither replace nor delete."
  }
  assert {
    condition     = [for grant in google_storage_bucket_iam_member.uploader : grant.role] == ["roles/storage.objectCreator"]
    error_message = "Uploaders create in the inbox."
  }

  # The databases.
  assert {
    condition = alltrue([
      for database in google_firestore_database.this :
      database.delete_protection_state == "DELETE_PROTECTION_ENABLED" &&
      database.point_in_time_recovery_enablement == "POINT_IN_TIME_RECOVERY_ENABLED" &&
      database.deletion_policy == "ABANDON"
    ])
    error_message = "Databases are protected from deletion and can be recovered to a point in time."
  }
  assert {
    condition = (
      module.planner.configured.database == "resource.name == \"projects/test-project-1/databases/shop-pricing\"" &&
      module.executor.configured.database == "resource.name == \"projects/test-project-1/databases/shop-pricing\"" &&
      module.session.configured.database == "resource.name == \"projects/test-project-1/databases/shop-sessions\""
    )
    error_message = "Each function's database role is confined to its own database."
  }
  assert {
    condition = {
      for key, index in google_firestore_index.composite : key => "${index.query_scope}: ${join(", ", [for field in index.fields : "${field.field_path} ${coalesce(field.order, field.array_config)}"])}"
      if startswith(key, "pricing/")
      } == {
      "pricing/executions/status/created_at"                 = "COLLECTION: status ASCENDING, created_at DESCENDING"
      "pricing/changes/skus/executed_at/execution_id/number" = "COLLECTION_GROUP: skus CONTAINS, executed_at DESCENDING, execution_id DESCENDING, number ASCENDING"
    }
    error_message = "The queries of the pricing database need these indexes."
  }
  assert {
    condition     = toset([for field in google_firestore_field.override : field.collection if length(field.ttl_config) > 0]) == toset(["sessions", "events", "turns"])
    error_message = "Sessions, their events and their turns expire; nothing else does."
  }
  assert {
    condition     = alltrue([for field in google_firestore_field.override : length(field.index_config[0].indexes) == 0])
    error_message = "An override takes its field out of every index."
  }

  # The audit in BigQuery.
  assert {
    condition = [for table in google_bigquery_table.audit : table.external_data_configuration[0].source_uris[0]] == [
      "gs://test-project-1-shop-audit/changes/*.jsonl", "gs://test-project-1-shop-audit/executions/*.jsonl"
    ]
    error_message = "The tables read the audit bucket's files."
  }
  assert {
    condition     = toset(keys(google_bigquery_table.view)) == toset(["price_history", "executions_by_day"])
    error_message = "There are two saved views."
  }
  assert {
    condition = toset([for entry in google_bigquery_dataset.audit.access : "${entry.role} ${try(coalesce(entry.special_group), "")}${try(coalesce(entry.iam_member), "")}"]) == toset([
      "OWNER projectOwners", "READER group:finance@example.com"
    ])
    error_message = "The dataset is its owners' and the auditors'."
  }

  # The alerts.
  assert {
    condition     = toset(keys(google_monitoring_alert_policy.this)) == toset(["executions_failed", "executions_stuck", "deliveries_retried", "planner_errors", "session_errors"])
    error_message = "These are what somebody should look at."
  }
  assert {
    condition     = alltrue([for alert in google_monitoring_alert_policy.this : alert.documentation[0].content != ""])
    error_message = "Every alert says what to do."
  }

  # The accounts.
  assert {
    condition = (
      module.planner.configured.account == "planner@test" &&
      module.executor.configured.account == "executor@test" &&
      module.session.configured.account == "session@test"
    )
    error_message = "Each function runs under its own account, never the project's default one."
  }
  assert {
    condition     = alltrue([for function in [module.planner, module.executor, module.session] : function.configured.builder == "projects/test/serviceAccounts/build@test"])
    error_message = "Every function is built under the build account, never the project's default one."
  }
  assert {
    condition     = module.executor.configured.trigger_account == "trigger@test"
    error_message = "Events are delivered by the trigger's account."
  }

  # Roles on the whole project.
  assert {
    condition = toset([for grant in concat(
      [google_project_iam_member.planner_model, google_project_iam_member.session_model, google_project_iam_member.trigger,
      google_project_iam_member.build_logs, google_project_iam_member.build_copied_source],
      values(google_project_iam_member.auditor_queries),
      ) : "${grant.member} ${grant.role}"]) == toset([
      "serviceAccount:planner@test roles/aiplatform.user",
      "serviceAccount:session@test roles/aiplatform.user",
      "serviceAccount:trigger@test roles/eventarc.eventReceiver",
      "serviceAccount:build@test roles/logging.logWriter",
      "serviceAccount:build@test roles/storage.objectViewer",
      "group:finance@example.com roles/bigquery.jobUser",
    ])
    error_message = "These are the roles that can be granted on the project alone."
  }
  assert {
    condition     = toset([for grant in google_storage_bucket_iam_member.executor : grant.member]) == toset(["serviceAccount:executor@test"])
    error_message = "Of the functions, only the executor touches the buckets."
  }
}

run "other_choices" {
  command = plan
  variables {
    deletion_protection = false
    audit_retention     = { days = 3650, locked = true }
  }

  assert {
    condition = alltrue([
      for database in google_firestore_database.this :
      database.delete_protection_state == "DELETE_PROTECTION_DISABLED" && database.deletion_policy == "DELETE"
    ]) && alltrue([for bucket in google_storage_bucket.data : bucket.force_destroy]) && google_bigquery_dataset.audit.delete_contents_on_destroy
    error_message = "Without deletion_protection everything can be destroyed."
  }
  assert {
    condition     = google_storage_bucket.data["audit"].retention_policy[0].is_locked && google_storage_bucket.data["audit"].retention_policy[0].retention_period == "315360000"
    error_message = "The audit bucket is locked for the days asked for."
  }
}
