output "planner_url" {
  description = "Where the planner is called, with an identity token."
  value       = local.addresses["planner"]
}

output "session_url" {
  description = "Where the session function is called, with an identity token."
  value       = local.addresses["session"]

  precondition {
    condition     = var.gemini != null || length(var.access.session_callers) == 0
    error_message = "With gemini = null nobody can converse: leave access.session_callers empty."
  }
}

output "console_url" {
  description = "Where access.console_users open the pages and sign in; empty without them."
  value       = local.console ? local.console_url : ""
}

output "inbox" {
  description = "Where tables are dropped: gs://{inbox}/{execution_id}/{name}.csv."
  value       = "gs://${google_storage_bucket.data["inbox"].name}"
}

output "outbox" {
  description = "Where results and notices appear, under the same names."
  value       = "gs://${google_storage_bucket.data["outbox"].name}"
}

output "audit" {
  description = "Where the audit is written, and the BigQuery dataset that reads it."
  value = {
    bucket  = "gs://${google_storage_bucket.data["audit"].name}"
    dataset = "${var.project_id}.${google_bigquery_dataset.audit.dataset_id}"
  }
}

output "dashboard" {
  description = "The dashboard in the console."
  value       = "https://console.cloud.google.com/monitoring/dashboards/builder/${element(split("/", google_monitoring_dashboard.this.id), -1)}?project=${var.project_id}"
}

output "next_steps" {
  description = "The commands to type next: terraform output -raw next_steps"
  value       = <<-E
    1. Ask for a plan, as one of access.planner_callers:

       TOKEN=$(gcloud auth print-identity-token)
       curl -sS "${local.addresses["planner"]}/v1/plans" \
         -H "X-Serverless-Authorization: Bearer $TOKEN" -H "Authorization: Bearer $TOKEN" \
         -H "Content-Type: application/json" \
         -d '{"instruction": "Increase prices by 10% for all in-stock fitness products.", "execution_id": "fitness_up_10pct_v1"}'

    2. Read the answer's explanation. If it says what you mean, drop your table,
       as one of access.uploaders:

       gcloud storage cp products.csv gs://${google_storage_bucket.data["inbox"].name}/fitness_up_10pct_v1/

    3. A few seconds later the result is there, or a notice that says what is
       wrong:

       gcloud storage ls gs://${google_storage_bucket.data["outbox"].name}/fitness_up_10pct_v1/

    4. See what happened to a product, as one of access.auditors:

       bq query --use_legacy_sql=false \
         "SELECT * FROM \`${var.project_id}.${google_bigquery_dataset.audit.dataset_id}.price_history\` WHERE sku = 'A101' ORDER BY executed_at"
  E
}

output "verify_environment" {
  description = "What planwright verify --cloud reads, for access.auditors: eval \"$(terraform output -raw verify_environment)\""
  value       = join("\n", concat([for name, value in local.executing_environment : "export ${name}='${value}'"], [""]))
}

output "pipeline_environment" {
  description = "What planwright-pipeline reads, to be typed before its command: eval \"$(terraform output -raw pipeline_environment)\". The last line tells its flags."
  value = var.pipeline == null ? "" : join("\n", concat(
    [for name, value in merge(local.executing_environment, local.tables_environment, local.approval_environment) : "export ${name}='${replace(value, "'", "'\\''")}'"],
    [join(" ", concat(
      ["# --runner=dataflow --project=${var.project_id} --region=${var.region}",
        "--service_account_email=${google_service_account.pipeline[0].email}",
      "--staging_location=gs://${google_storage_bucket.data["outbox"].name}/${local.parts_folder}staging"],
      [for network in var.network[*] : "--network=${network.network} --subnetwork=regions/${var.region}/subnetworks/${network.subnetwork} --no_use_public_ips"],
    )), ""],
  ))
}
