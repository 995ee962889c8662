output "name" {
  description = "The name of the function and of its Cloud Run service."
  value       = google_cloudfunctions2_function.this.name
}

output "url" {
  description = "Where the function is called."
  value       = google_cloudfunctions2_function.this.service_config[0].uri
}

output "member" {
  description = "The function's account as a member in IAM."
  value       = google_service_account.this.member
}

output "may_read" {
  description = "The secrets that the account may read: who needs that to be known waits for this."
  value       = [for grant in google_secret_manager_secret_iam_member.read : grant.secret_id]
}

output "configured" {
  description = "How the function is set up."
  value = {
    runtime       = google_cloudfunctions2_function.this.build_config[0].runtime
    built_with    = google_cloudfunctions2_function.this.build_config[0].environment_variables
    builder       = google_cloudfunctions2_function.this.build_config[0].service_account
    account       = google_cloudfunctions2_function.this.service_config[0].service_account_email
    environment   = google_cloudfunctions2_function.this.service_config[0].environment_variables
    secrets       = { for secret in google_cloudfunctions2_function.this.service_config[0].secret_environment_variables : secret.key => secret.secret }
    ingress       = google_cloudfunctions2_function.this.service_config[0].ingress_settings
    invokers      = { for key, grant in google_cloud_run_v2_service_iam_member.invoker : key => grant.role }
    database      = one(google_project_iam_member.database[*].condition[0].expression)
    database_role = one(google_project_iam_member.database[*].role)
    kms_key       = google_cloudfunctions2_function.this.kms_key_name
    network       = google_cloudfunctions2_function.this.service_config[0].direct_vpc_network_interface
    verified_by   = google_cloudfunctions2_function.this.service_config[0].binary_authorization_policy
    size          = var.size
  }
}
