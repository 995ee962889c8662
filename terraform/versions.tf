terraform {
  required_version = ">= 1.11"

  required_providers {
    google  = { source = "hashicorp/google", version = "~> 7.0" }
    archive = { source = "hashicorp/archive", version = "~> 2.7" }
    time    = { source = "hashicorp/time", version = "~> 0.13" }
  }

  # The state is kept in this folder. To share it, keep it in a bucket with
  # versioning and copy backend.tf.example to backend.tf.
}

# Quota and API calls are the installation's project's own, not the caller's:
# some APIs refuse a person's credentials without a project to bill.
provider "google" {
  project               = var.project_id
  region                = var.region
  default_labels        = local.labels
  user_project_override = true
  billing_project       = var.project_id
}
