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
  target          = module.sweeper.google_service_account.this
  override_during = plan
  values          = { email = "sweeper@test", member = "serviceAccount:sweeper@test" }
}

override_resource {
  target          = google_service_account.clock
  override_during = plan
  values          = { email = "clock@test", member = "serviceAccount:clock@test" }
}

override_resource {
  target          = module.session.google_service_account.this
  override_during = plan
  values          = { email = "session@test", member = "serviceAccount:session@test" }
}

override_resource {
  target          = google_service_account.trigger
  override_during = plan
  values = {
    email  = "trigger@test"
    member = "serviceAccount:trigger@test"
    name   = "projects/test-project-1/serviceAccounts/trigger@test-project-1.iam.gserviceaccount.com"
  }
}

override_resource {
  target          = google_service_account.build
  override_during = plan
  values          = { id = "projects/test/serviceAccounts/build@test", email = "build@test", member = "serviceAccount:build@test" }
}

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
  project_id           = "test-project-1"
  region               = "us-central1"
  prefix               = "shop"
  labels               = {}
  gemini               = { temperature = 1, top_p = 0.95 }
  session_days         = 30
  session_user         = "verified"
  token_audiences      = ["https://plans.example.com"]
  sizes                = {}
  audit_retention      = {}
  table_days           = {}
  audit_epoch          = 0
  audit_key_secret     = "planwright-audit-key"
  deletion_protection  = true
  drain                = true
  data_access_logs     = true
  budget               = null
  kms_key              = ""
  network              = null
  binary_authorization = null
  pipeline             = null
  access = {
    planner_callers = ["user:ana@example.com"]
    session_callers = ["serviceAccount:backend@test-project-1.iam.gserviceaccount.com"]
    uploaders       = ["group:shop@example.com"]
    auditors        = ["group:finance@example.com"]
    console_users   = ["group:shop@example.com"]
  }
  approval = { needed = "over", over_rows = 500, over_percent = 20, by_another = true, gcloud_tokens = false }
  roles    = { viewers = ["eve@example.com"], planners = ["ben@example.com"], approvers = ["ana@example.com"], operators = ["ops@example.com"] }
  tables = {
    columns = "sku=Variant SKU,price=Variant Price", profile = "shopify", delimiter = "comma", line_end = "LF", encoding = "UTF-8",
    header  = "first", stock_words = "in=on,out=off", odd_rows = "leave", price_form = "1234.56", blank_price = "keep", blank_stock = "out", in_stock_quantity = 1, unmatched = "error", near_names = "error", sale_dates = "clear"
  }
  alert_emails          = ["ana@example.com"]
  public_url            = "https://planwright.example.com"
  notify_url_secret     = "planwright-notify-url"
  notify_signing_secret = "planwright-notify-key"
  notices               = null
  shop                  = { url = "https://shop.example", key_secret = "planwright-shop-key", secret_secret = "planwright-shop-secret" }
}

override_resource {
  target          = module.shops[0].google_service_account.this
  override_during = plan
  values          = { email = "shops@test", member = "serviceAccount:shops@test" }
}

override_resource {
  target          = module.console[0].google_service_account.this
  override_during = plan
  values          = { email = "console@test", member = "serviceAccount:console@test" }
}

# One plan for all of it: planning takes long, asserting does not.
run "installation" {
  command = plan

  # The retention is not locked, which is said.
  expect_failures = [check.evidence]

  # How the functions run.
  assert {
    condition     = module.executor.configured.ingress == "ALLOW_INTERNAL_ONLY"
    error_message = "The executor must be reachable from inside Google Cloud only."
  }
  assert {
    condition     = module.planner.configured.ingress == "ALLOW_ALL" && module.session.configured.ingress == "ALLOW_ALL"
    error_message = "People and backends reach planner and session from anywhere, as somebody who may."
  }
  assert {
    condition     = module.executor.configured.size.concurrency == 1 && module.executor.configured.size.timeout == 540
    error_message = "The executor takes one table at a time, for as long as an event may take."
  }
  assert {
    condition = alltrue([
      for function in [module.planner, module.executor, module.session, module.sweeper] : function.configured.runtime == "go127"
    ])
    error_message = "The functions run on go127."
  }
  assert {
    condition = alltrue([
      for function in [module.planner, module.executor, module.session, module.sweeper] : function.configured.built_with == tomap({ GOFLAGS = "-tags=disable_grpc_modules" })
    ])
    error_message = "The functions are built without the modules that they do not use."
  }

  # environment.json is written from the functions' Config by
  #   go test ./terraform -update
  assert {
    condition     = setunion(keys(module.planner.configured.environment), ["GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_CLOUD_REGION"]) == toset(jsondecode(file("./environment.json")).planner)
    error_message = "The planner is given ${join(" ", keys(module.planner.configured.environment))}; its Config reads what environment.json says."
  }
  assert {
    condition     = setsubtract(setunion(keys(module.executor.configured.environment), keys(module.executor.configured.secrets)), ["CLOUD_RUN_TIMEOUT_SECONDS"]) == toset(jsondecode(file("./environment.json")).executor)
    error_message = "The executor is given ${join(" ", keys(module.executor.configured.environment))}; its Config reads what environment.json says."
  }
  assert {
    condition     = setunion(keys(module.sweeper.configured.environment), keys(module.sweeper.configured.secrets)) == toset(jsondecode(file("./environment.json")).sweeper)
    error_message = "The sweeper is given ${join(" ", keys(module.sweeper.configured.environment))}; its Config reads what environment.json says."
  }
  assert {
    condition     = alltrue([for name, value in module.sweeper.configured.environment : module.executor.configured.environment[name] == value if !contains(keys(local.notify_environment), name)])
    error_message = "Executor and sweeper carry out the same plans and must be told the same."
  }
  assert {
    condition     = module.planner.configured.environment.APPROVERS == "ana@example.com" && module.planner.configured.environment.APPROVAL_BY_ANOTHER == "true" && module.planner.configured.environment.APPROVAL_GCLOUD_TOKENS == "false"
    error_message = "The planner knows who may approve, and by which tokens."
  }
  assert {
    condition     = setunion(keys(module.session.configured.environment), ["GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_CLOUD_REGION"]) == toset(jsondecode(file("./environment.json")).session)
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

  assert {
    condition     = module.session.configured.environment.SESSION_USER == "verified" && endswith(module.session.configured.environment.TOKEN_AUDIENCES, ".run.app,https://plans.example.com")
    error_message = "The session function must verify its callers as session_user says."
  }

  assert {
    condition     = module.executor.configured.secrets == { AUDIT_KEY = "planwright-audit-key" } && module.planner.configured.secrets == {} && module.session.configured.secrets == {}
    error_message = "The executor alone is given the key that signs the audit documents."
  }

  # Who may call what.
  assert {
    condition     = module.planner.configured.invokers == { console = "roles/run.invoker", "user:ana@example.com" = "roles/run.invoker" }
    error_message = "The planner is called by those in access.planner_callers."
  }
  assert {
    condition     = module.session.configured.invokers == { console = "roles/run.invoker", "serviceAccount:backend@test-project-1.iam.gserviceaccount.com" = "roles/run.invoker" }
    error_message = "The session function is called by those in access.session_callers, and by the pages."
  }
  assert {
    condition     = module.executor.configured.invokers == { trigger = "roles/run.invoker" }
    error_message = "The executor is called by the trigger alone."
  }

  assert {
    condition     = module.sweeper.configured.invokers == { clock = "roles/run.invoker" } && module.sweeper.configured.ingress == "ALLOW_INTERNAL_ONLY"
    error_message = "The sweeper is called by the clock alone, from inside Google Cloud."
  }
  assert {
    condition = { for name, job in google_cloud_scheduler_job.sweep : name => job.schedule } == { due = "* * * * *", inbox = "17 * * * *" } && alltrue([
      for job in google_cloud_scheduler_job.sweep : one(one(job.http_target).oidc_token).service_account_email == "clock@test"
    ])
    error_message = "What is due is swept once a minute and the inbox once an hour, as the clock's account."
  }
  assert {
    condition = module.sweeper.configured.size.concurrency == 1 && module.sweeper.configured.size.timeout == 1800 && alltrue([
      for job in google_cloud_scheduler_job.sweep : job.attempt_deadline == "1800s"
    ])
    error_message = "The clock waits as long as a sweep may take."
  }
  assert {
    condition     = one(one(google_monitoring_alert_policy.sweep_stopped.conditions).condition_absent).duration == "900s"
    error_message = "Somebody is told when the sweep stops."
  }
  assert {
    condition     = { for key, grant in google_storage_bucket_iam_member.sweeper : key => grant.role } == { for key, grant in google_storage_bucket_iam_member.executor : key => grant.role }
    error_message = "The sweeper may do with the buckets what the executor may."
  }

  # The shop.
  assert {
    condition     = setunion(keys(module.shops[0].configured.environment), keys(module.shops[0].configured.secrets)) == toset(jsondecode(file("./environment.json")).shops)
    error_message = "The function that reaches the shop is given ${join(" ", keys(module.shops[0].configured.environment))}; its Config reads what environment.json says."
  }
  assert {
    condition     = module.shops[0].configured.secrets == { SHOP_KEY = "planwright-shop-key", SHOP_SECRET = "planwright-shop-secret" } && !anytrue([for function in [module.planner, module.executor, module.session, module.sweeper] : anytrue([for name in keys(merge(function.configured.secrets, function.configured.environment)) : contains(["SHOP_URL", "SHOP_KEY", "SHOP_SECRET"], name)])])
    error_message = "One function alone is given the shop's keys."
  }
  assert {
    condition     = module.shops[0].configured.invokers == { clock = "roles/run.invoker", planner = "roles/run.invoker" } && module.shops[0].configured.account == "shops@test" && module.shops[0].configured.size.timeout == 1800
    error_message = "The shop is reached for the planner and the clock alone, by an account of its own."
  }
  assert {
    condition     = google_cloud_scheduler_job.shop[0].schedule == "* * * * *" && one(one(google_cloud_scheduler_job.shop[0].http_target).oidc_token).service_account_email == "clock@test"
    error_message = "What is due is written once a minute, as the clock's account."
  }
  assert {
    condition     = { for key, grant in google_storage_bucket_iam_member.shops : key => "${grant.member} ${grant.role} ${regex("objects/([a-z]*/?)", one(grant.condition).expression)[0]}" } == { read_inbox = "serviceAccount:shops@test roles/storage.objectViewer held/", write_inbox = "serviceAccount:shops@test roles/storage.objectCreator held/", read_outbox = "serviceAccount:shops@test roles/storage.objectViewer ", read_changes = "serviceAccount:shops@test roles/storage.objectViewer changes/", read_results = "serviceAccount:shops@test roles/storage.objectViewer postings/", write_results = "serviceAccount:shops@test roles/storage.objectCreator postings/" }
    error_message = "It reads what is to be written to the shop, and creates what came of it."
  }
  assert {
    condition     = [for key, grant in google_storage_bucket_iam_member.shops : key if strcontains(one(grant.condition).expression, "||")] == []
    error_message = "It lists no names in any bucket."
  }
  assert {
    condition     = [for grant in google_storage_bucket_iam_member.shops_tables : "${grant.bucket} ${grant.role} ${grant.member}"] == ["${google_storage_bucket.tables.name} roles/storage.objectCreator serviceAccount:shops@test"]
    error_message = "It creates the tables that it fetched, and reads and deletes none that are held."
  }

  # The buckets.
  assert {
    condition = alltrue([
      for bucket in concat(values(google_storage_bucket.data), [google_storage_bucket.tables, google_storage_bucket.source]) :
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
    error_message = "Unless it is asked for, no lifecycle rule may delete a live object."
  }
  assert {
    condition = {
      for name, bucket in google_storage_bucket.data : name => one([
        for rule in bucket.lifecycle_rule : "${one(rule.action).storage_class} ${one(rule.condition).age}" if one(rule.action).type == "SetStorageClass"
      ])
    } == { inbox = "NEARLINE 30", outbox = "NEARLINE 30", audit = "COLDLINE 365" }
    error_message = "What is kept moves to a colder class."
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

  assert {
    condition = !contains([for bucket in google_storage_bucket.data : bucket.name], google_storage_bucket.tables.name) && module.planner.configured.environment.TABLES_BUCKET == google_storage_bucket.tables.name && google_storage_bucket.tables.soft_delete_policy[0].retention_duration_seconds == 0 && anytrue([
      for rule in google_storage_bucket.tables.lifecycle_rule : one(rule.action).type == "Delete" && one(rule.condition).age == 1
    ])
    error_message = "Tables are held in a bucket of their own, for a day."
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
    condition     = [for grant in google_storage_bucket_iam_member.uploader : grant.role] == ["roles/storage.objectUser"]
    error_message = "Uploaders use the inbox: gcloud needs more than to create."
  }

  assert {
    condition     = length(google_storage_bucket_iam_binding.no_editors) == 12 && alltrue([for binding in google_storage_bucket_iam_binding.no_editors : binding.members == toset(["projectOwner:test-project-1"])])
    error_message = "The project's editors and viewers have no part in the buckets."
  }
  assert {
    condition     = toset([for grant in google_storage_bucket_iam_member.auditor : grant.bucket]) == toset([for bucket in google_storage_bucket.data : bucket.name])
    error_message = "Auditors read what verify compares."
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
      for name, role in google_project_iam_custom_role.database : name => join(" ", [for p in sort(role.permissions) : trimprefix(p, "datastore.")])
      } == {
      planner  = "databases.get entities.create entities.get entities.list entities.update"
      executor = "databases.get entities.create entities.get entities.list entities.update"
    }
    error_message = "Planner and executor create, read and update; neither deletes."
  }
  assert {
    condition     = module.session.configured.database_role == "roles/datastore.user"
    error_message = "The session function deletes sessions."
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
    condition     = toset([for field in flatten([for step in [module.override_01, module.override_02, module.override_03, module.override_04, module.override_05, module.override_06, module.override_07, module.override_08, module.override_09, module.override_10, module.override_11, module.override_12, module.override_13, module.override_14, module.override_15, module.override_16] : step.fields]) : field.collection if field.ttl]) == toset(["sessions", "events", "turns"])
    error_message = "Sessions, their events and their turns expire; nothing else does."
  }
  assert {
    condition     = length(flatten([for step in [module.override_01, module.override_02, module.override_03, module.override_04, module.override_05, module.override_06, module.override_07, module.override_08, module.override_09, module.override_10, module.override_11, module.override_12, module.override_13, module.override_14, module.override_15, module.override_16] : step.fields])) == sum([for described in values(jsondecode(file("./indexes.json"))) : length(described.fieldOverrides)])
    error_message = "Every override of indexes.json is made."
  }

  # The audit in BigQuery.
  assert {
    condition = [for table in google_bigquery_table.audit : table.external_data_configuration[0].source_uris[0]] == [
      "gs://test-project-1-shop-audit/changes/*.jsonl", "gs://test-project-1-shop-audit/executions/*.jsonl"
    ]
    error_message = "The tables read the audit bucket's files."
  }
  assert {
    condition     = toset(keys(google_bigquery_table.view)) == toset(["price_history", "executions_by_day", "approvals", "undos"])
    error_message = "There are four saved views."
  }
  assert {
    condition = toset([for entry in google_bigquery_dataset.audit.access : "${entry.role} ${try(coalesce(entry.special_group), "")}${try(coalesce(entry.user_by_email), "")}${try(coalesce(entry.group_by_email), "")}"]) == toset([
      "OWNER projectOwners", "READER finance@example.com"
    ])
    error_message = "The dataset is its owners' and the auditors'."
  }

  # The events.
  assert {
    condition = (
      google_storage_notification.inbox.bucket == google_storage_bucket.data["inbox"].name &&
      google_storage_notification.inbox.event_types == toset(["OBJECT_FINALIZE"]) &&
      google_storage_notification.inbox.payload_format == "JSON_API_V1"
    )
    error_message = "Every new object of the inbox is published, with what it is."
  }
  assert {
    condition     = google_pubsub_subscription.executor.ack_deadline_seconds > module.executor.configured.size.timeout
    error_message = "A delivery must end before Pub/Sub sends another."
  }
  assert {
    condition = (
      one(google_pubsub_subscription.executor.dead_letter_policy).max_delivery_attempts == 100 &&
      one(google_pubsub_subscription.executor.retry_policy).minimum_backoff == "10s" &&
      one(google_pubsub_subscription.executor.retry_policy).maximum_backoff == "600s"
    )
    error_message = "An event is tried again for some 16 hours: longer than an execution needs for its outcome."
  }
  assert {
    condition     = alltrue([for subscription in [google_pubsub_subscription.executor, google_pubsub_subscription.dead_letters] : one(subscription.expiration_policy).ttl == ""])
    error_message = "A quiet subscription must not expire."
  }
  assert {
    condition     = one(one(google_pubsub_subscription.executor.push_config).oidc_token).service_account_email == "trigger@test"
    error_message = "Events are delivered by the trigger's account."
  }
  assert {
    condition     = alltrue([for topic in google_pubsub_topic.events : one(topic.message_storage_policy).allowed_persistence_regions == toset(["us-central1"])])
    error_message = "Events stay in the region."
  }
  assert {
    condition = toset(concat(
      [for grant in [google_pubsub_topic_iam_member.storage_publishes, google_pubsub_topic_iam_member.dead_letters] : "${grant.member} ${grant.role}"],
      ["${google_pubsub_subscription_iam_member.dead_letters.member} ${google_pubsub_subscription_iam_member.dead_letters.role}"],
      ["${google_service_account_iam_member.trigger_token.member} ${google_service_account_iam_member.trigger_token.role}"],
      )) == toset([
      "serviceAccount:storage@test roles/pubsub.publisher",
      "serviceAccount:service-123456789012@gcp-sa-pubsub.iam.gserviceaccount.com roles/pubsub.publisher",
      "serviceAccount:service-123456789012@gcp-sa-pubsub.iam.gserviceaccount.com roles/pubsub.subscriber",
      "serviceAccount:service-123456789012@gcp-sa-pubsub.iam.gserviceaccount.com roles/iam.serviceAccountOpenIdTokenCreator",
    ])
    error_message = "Google's agents publish, push and forward, each on the one resource."
  }
  assert {
    condition     = keys(terraform_data.agent) == ["artifactregistry.googleapis.com", "cloudfunctions.googleapis.com", "iap.googleapis.com", "pubsub.googleapis.com", "run.googleapis.com"]
    error_message = "The agents that build, run and deliver are made before anything rests on them."
  }
  assert {
    condition     = tonumber(trimsuffix(time_sleep.grants.create_duration, "s")) >= 180
    error_message = "A grant takes minutes to be known."
  }
  assert {
    condition     = one(google_project_iam_member.build_copied_source.condition).expression == "resource.name == \"projects/_/buckets/gcf-v2-sources-123456789012-us-central1\" || resource.name.startsWith(\"projects/_/buckets/gcf-v2-sources-123456789012-us-central1/objects/\")"
    error_message = "The build reads the copied source, and nothing else."
  }

  assert {
    condition     = { for service, logs in google_project_iam_audit_config.data_access : service => length(logs.audit_log_config) } == { "datastore.googleapis.com" = 2, "storage.googleapis.com" = 2 }
    error_message = "What is written and read is logged, under the names that Google sets it by."
  }
  assert {
    condition     = terraform_data.drain[0].triggers_replace == one(regex("const Build = \"(\\w+)\"", file("../shared/pricing/pricing.go")))
    error_message = "Another build of the engine waits for what the one before sealed."
  }
  assert {
    condition     = toset([for first in google_storage_bucket_object.first : first.name]) == toset(["changes/first.jsonl", "executions/first.jsonl"])
    error_message = "Each table has a file before the first execution."
  }

  # The alerts.
  assert {
    condition = toset(keys(google_monitoring_alert_policy.this)) == toset([
      "executions_failed", "executions_stuck", "tree_behind", "inbox_unfinished", "post_given_up", "events_waiting", "events_refused", "executor_errors", "dead_letters", "planner_errors", "session_errors", "pages_errors",
      "posting_stuck", "planner_slow", "session_slow", "planner_full", "executor_full", "sweeper_full", "session_full",
    ])
    error_message = "These are what somebody should look at."
  }
  assert {
    condition     = alltrue([for alert in google_monitoring_alert_policy.this : alert.documentation[0].content != "" && !strcontains(alert.documentation[0].content, "PREFIX")])
    error_message = "Every alert says what to do."
  }
  assert {
    condition = alltrue([
      for alert in google_monitoring_alert_policy.this : length(one(alert.conditions).condition_matched_log) + length(one(alert.conditions).condition_threshold) == 1
    ])
    error_message = "Every alert has one condition."
  }
  assert {
    condition = !anytrue([
      for alert in google_monitoring_alert_policy.this : anytrue([for threshold in one(alert.conditions).condition_threshold : strcontains(threshold.filter, "logging.googleapis.com")])
    ])
    error_message = "No alert may rest on a log metric: a new one is unknown for minutes."
  }
  assert {
    condition = alltrue([
      for alert in google_monitoring_alert_policy.this :
      length(one(alert.alert_strategy).notification_rate_limit) == length(one(alert.conditions).condition_matched_log)
    ])
    error_message = "A condition on log lines needs a rate limit, and only that."
  }
  assert {
    condition = alltrue([
      for name, function in { planner = module.planner, executor = module.executor, sweeper = module.sweeper, session = module.session } :
      one(one(google_monitoring_alert_policy.this["${name}_full"].conditions).condition_threshold).threshold_value == function.configured.size.max_instances - 1
    ])
    error_message = "Somebody is told when all instances of a function are busy."
  }

  assert {
    condition = one(one(google_monitoring_alert_policy.planned_without_model[0].conditions).condition_prometheus_query_language).query == join("", [
      "sum(increase(logging_googleapis_com:user_shop_plans_without_model[1h])) / ",
      "sum(increase(logging_googleapis_com:user_shop_plans_made[1h])) > 0.2",
    ])
    error_message = "Somebody is told when the model is not reached."
  }

  # The pages.
  assert {
    condition = (
      google_cloud_run_v2_service.pages[0].iap_enabled &&
      one(google_cloud_run_v2_service.pages[0].template).service_account == "console@test" &&
      google_cloud_run_v2_service_iam_member.proxy[0].member == "serviceAccount:service-123456789012@gcp-sa-iap.iam.gserviceaccount.com" &&
      [for grant in google_iap_web_cloud_run_service_iam_member.user : "${grant.member} ${grant.role}"] == ["group:shop@example.com roles/iap.httpsResourceAccessor"] &&
      length(module.console[0].configured.invokers) == 0 && module.console[0].configured.ingress == "ALLOW_INTERNAL_ONLY"
    )
    error_message = "People come to the pages through Identity-Aware Proxy, and in no other way."
  }
  assert {
    condition     = toset([for variable in one(one(google_cloud_run_v2_service.pages[0].template).containers).env : variable.name]) == setunion(jsondecode(file("./environment.json")).console, ["FUNCTION_TARGET"])
    error_message = "The pages must have exactly the variables that they read."
  }
  assert {
    condition = (
      module.planner.configured.environment.CONSOLE_ACCOUNT == "console@test" && module.session.configured.environment.CONSOLE_ACCOUNT == "console@test" &&
      module.session.configured.environment.IAP_AUDIENCE == module.planner.configured.environment.IAP_AUDIENCE &&
      module.planner.configured.environment.IAP_AUDIENCE == one([for variable in one(one(google_cloud_run_v2_service.pages[0].template).containers).env : variable.value if variable.name == "IAP_AUDIENCE"]) &&
      module.planner.configured.environment.IAP_AUDIENCE == "/projects/123456789012/locations/us-central1/services/${google_cloud_run_v2_service.pages[0].name}"
    )
    error_message = "Planner, session and pages believe the proxy's word for the pages alone."
  }
  assert {
    condition     = output.console_url == "https://planwright.example.com" && module.sweeper.configured.environment.PUBLIC_URL == output.console_url
    error_message = "The pages answer to the address that is printed, and notices lead there."
  }
  assert {
    condition     = module.sweeper.configured.secrets.NOTIFY_URL == "planwright-notify-url" && module.sweeper.configured.secrets.NOTIFY_SECRET == "planwright-notify-key" && !contains(keys(module.executor.configured.secrets), "NOTIFY_URL")
    error_message = "The sweeper alone knows the webhook and its key."
  }
  assert {
    condition     = alltrue([for role in ["VIEWERS", "PLANNERS", "APPROVERS", "OPERATORS"] : module.sweeper.configured.environment[role] == module.planner.configured.environment[role]])
    error_message = "The sweeper names the people who have a role as the planner knows them."
  }
  assert {
    condition     = { for bucket, grant in google_storage_bucket_iam_member.console : bucket => "${grant.member} ${grant.role}" } == { inbox = "serviceAccount:console@test roles/storage.objectViewer", outbox = "serviceAccount:console@test roles/storage.objectViewer" }
    error_message = "The pages read what was handed in and what was written, and write nowhere."
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
    condition     = alltrue([for function in [module.planner, module.executor, module.session, module.sweeper] : function.configured.builder == "projects/test/serviceAccounts/build@test"])
    error_message = "Every function is built under the build account, never the project's default one."
  }
  # Roles on the whole project.
  assert {
    condition = toset([for grant in concat(
      google_project_iam_member.planner_model, google_project_iam_member.session_model,
      [google_project_iam_member.build_logs, google_project_iam_member.build_copied_source],
      values(google_project_iam_member.auditor_queries),
      ) : "${grant.member} ${grant.role}"]) == toset([
      "serviceAccount:planner@test roles/aiplatform.user",
      "serviceAccount:session@test roles/aiplatform.user",
      "serviceAccount:build@test roles/logging.logWriter",
      "serviceAccount:build@test roles/storage.objectViewer",
      "group:finance@example.com roles/bigquery.jobUser",
    ])
    error_message = "These are the roles that can be granted on the project alone."
  }
  assert {
    condition     = alltrue([for grant in google_project_iam_member.auditor_queries : one(grant.condition).title == "installation shop"])
    error_message = "What two installations grant to the same member must be two bindings."
  }
  assert {
    condition     = toset([for grant in google_storage_bucket_iam_member.executor : grant.member]) == toset(["serviceAccount:executor@test"]) && toset([for grant in google_storage_bucket_iam_member.sweeper : grant.member]) == toset(["serviceAccount:sweeper@test"])
    error_message = "Of the functions, only executor and sweeper touch the buckets of executions."
  }
  assert {
    condition     = google_storage_bucket_iam_member.planner_tables.member == "serviceAccount:planner@test" && google_storage_bucket_iam_member.planner_tables.bucket == google_storage_bucket.tables.name && alltrue([for binding in google_storage_bucket_iam_binding.no_editors_of_tables : binding.members == toset(["projectOwner:test-project-1"])])
    error_message = "Of the functions, only the planner reads and deletes the tables that are held."
  }
  assert {
    condition     = google_storage_bucket_iam_member.planner_inbox.role == "roles/storage.objectCreator" && alltrue([for grant in google_storage_bucket_iam_member.uploader : one(grant.condition).expression == "!${one(google_storage_bucket_iam_member.planner_inbox.condition).expression}"])
    error_message = "The planner alone writes where a table's metadata names who handed it in."
  }
  assert {
    condition     = alltrue([for grant in concat([google_storage_bucket_iam_member.planner_outbox], values(google_storage_bucket_iam_member.planner_undoes)) : grant.role == "roles/storage.objectViewer"]) && { for bucket, grant in google_storage_bucket_iam_member.planner_undoes : bucket => regex("objects/([a-z]+)/", one(grant.condition).expression)[0] } == { inbox = "held", audit = "changes" }
    error_message = "The planner reads, and no more, what an undo takes back."
  }
}

run "other_choices" {
  command = plan
  variables {
    deletion_protection = false
    audit_retention     = { days = 3650, locked = true }
    table_days          = { inbox = 90, outbox = 400 }
    access              = { auditors = ["user:ana@example.com", "serviceAccount:bi@example.iam.gserviceaccount.com", "group:finance@example.com"] }
    budget              = { billing_account = "012345-6789AB-CDEF01", monthly = 50 }
    network             = { network = "shop", subnetwork = "functions" }

    kms_key              = "projects/keys/locations/us-central1/keyRings/shop/cryptoKeys/planwright"
    binary_authorization = "default"
    pipeline             = { operators = ["user:ops@example.com"] }
  }

  assert {
    condition     = length(module.console) + length(google_cloud_run_v2_service.pages) + length(google_storage_bucket_iam_member.console) == 0 && output.console_url == "" && !contains(keys(merge(module.planner.configured.environment, module.session.configured.environment)), "CONSOLE_ACCOUNT") && !contains(keys(google_monitoring_alert_policy.this), "pages_errors")
    error_message = "Without console_users there are no pages, nobody watches them, and nobody's word for others is believed."
  }

  # The pipeline: its workers read the inbox and create parts, and know no
  # database; its operators may do what the executor may.
  assert {
    condition = { for key, grant in google_storage_bucket_iam_member.pipeline : key => grant.role } == {
      for key, grant in google_storage_bucket_iam_member.executor : key => grant.role
    }
    error_message = "The workers read the inbox, and create and read in outbox and audit."
  }
  assert {
    condition = (
      [for grant in google_project_iam_member.pipeline_works : grant.role] == ["roles/dataflow.worker"] &&
      [for grant in google_project_iam_member.operator_starts : "${grant.member} ${grant.role}"] == ["user:ops@example.com roles/dataflow.developer"] &&
      [for grant in google_service_account_iam_member.operator_uses : "${grant.member} ${grant.role}"] == ["user:ops@example.com roles/iam.serviceAccountUser"]
    )
    error_message = "Workers work, and operators start them under their account alone."
  }
  assert {
    condition     = alltrue([for grant in google_project_iam_member.operator_records : strcontains(one(grant.condition).expression, "shop-pricing")])
    error_message = "Operators reach the records of this installation alone."
  }
  assert {
    condition = { for name, bucket in google_storage_bucket.data : name => [
      for rule in bucket.lifecycle_rule : one(rule.condition).age if one(rule.action).type == "Delete" && try(one(one(rule.condition).matches_prefix), "") == "_parts/"
    ] } == { inbox = [], outbox = [7], audit = [7] }
    error_message = "Parts are deleted after a week."
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
  assert {
    condition = { for name, bucket in google_storage_bucket.data : name => join(" ", [
      for rule in bucket.lifecycle_rule : one(rule.condition).age if one(rule.action).type == "Delete" ? one(rule.condition).with_state == "LIVE" : false
    ]) } == { inbox = "90", outbox = "400", audit = "" }
    error_message = "Tables are deleted after the days asked for, the audit never."
  }
  assert {
    condition = toset([for entry in google_bigquery_dataset.audit.access : "user ${entry.user_by_email}" if try(coalesce(entry.user_by_email), "") != ""]) == toset([
      "user ana@example.com", "user bi@example.iam.gserviceaccount.com"
    ])
    error_message = "People and service accounts are named as the API answers."
  }
  assert {
    condition     = one(one(google_billing_budget.this[0].amount).specified_amount).units == "50" && length(google_billing_budget.this[0].threshold_rules) == 4
    error_message = "The budget tells of half, nine tenths, all, and all to come."
  }
  assert {
    condition = alltrue(concat(
      [for bucket in concat(values(google_storage_bucket.data), [google_storage_bucket.tables, google_storage_bucket.source]) : one(bucket.encryption).default_kms_key_name == var.kms_key],
      [for database in google_firestore_database.this : one(database.cmek_config).kms_key_name == var.kms_key],
      [for topic in google_pubsub_topic.events : topic.kms_key_name == var.kms_key],
      [for function in [module.planner, module.executor, module.session, module.sweeper] : function.configured.kms_key == var.kms_key],
      [google_artifact_registry_repository.images.kms_key_name == var.kms_key],
    ))
    error_message = "All that is stored is under the key asked for."
  }
  assert {
    condition     = one(google_project_iam_member.build_copied_source.condition).expression == "resource.name.startsWith(\"projects/_/buckets/gcf-v2-sources-123456789012-us-central1-\")"
    error_message = "With a key, the bucket of the copied source has the key's hash in its name."
  }
  assert {
    condition     = toset(keys(google_kms_crypto_key_iam_member.agent)) == toset([for api in ["artifactregistry", "cloudfunctions", "firestore", "pubsub", "run", "storage"] : "${api}.googleapis.com"])
    error_message = "Each of Google's agents that stores for us may use the key."
  }
  assert {
    condition = alltrue([
      for function in [module.planner, module.executor, module.session, module.sweeper] :
      one(function.configured.network).subnetwork == "functions" && function.configured.verified_by == "default"
    ])
    error_message = "Every function goes through the network and is verified."
  }
}
