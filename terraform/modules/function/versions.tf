terraform {
  required_providers {
    google  = { source = "hashicorp/google" }
    archive = { source = "hashicorp/archive" }
  }
}
