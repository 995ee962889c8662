variable "name" {
  description = "The name of a folder in functions/; with the prefix, the function's name and its account's."
  type        = string
  nullable    = false
}

variable "installation" {
  description = <<-EOT
    What all functions of an installation share: the project's id, the region, and what every name begins with.
    kms_key encrypts source, image and function; null is Google's.
    network is the VPC network through which everything that a function calls is reached; null is Google's own way.
    verified_by is the binary authorization policy that an image must pass, or default; null asks for none.
  EOT
  type = object({
    project_id = string
    region     = string
    prefix     = string
    kms_key    = optional(string)
    network = optional(object({
      network    = string
      subnetwork = string
      tags       = optional(list(string))
    }))
    verified_by = optional(string)
  })
  nullable = false
}

variable "build" {
  description = "What a function is built with: a service account's id, an image repository's id and a bucket for source."
  type = object({
    account    = string
    repository = string
    bucket     = string
  })
  nullable = false
}

variable "description" {
  description = "What the function is for."
  type        = string
  nullable    = false
}

variable "target" {
  description = "The name under which the code registers the function."
  type        = string
  nullable    = false
}

variable "environment" {
  description = "The variables of the function's Config."
  type        = map(string)
  nullable    = false
}

variable "secrets" {
  description = "Variables of the function's Config whose value is the newest version of a secret in Secret Manager, by its name. The function's account may read these secrets."
  type        = map(string)
  default     = {}
  nullable    = false
}

variable "database" {
  description = "The Firestore database that the function uses, as IAM names it (projects/{project}/databases/{database}), and the role that it has there; null: it uses none."
  type = object({
    resource = string
    role     = string
  })
  default = null
}

variable "after" {
  description = "What the function is deployed after."
  type        = any
  default     = null
}

variable "size" {
  description = "Memory, CPU, requests at a time in one instance, seconds that a request may take, and instances."
  type = object({
    memory        = string
    cpu           = string
    concurrency   = number
    timeout       = number
    min_instances = number
    max_instances = number
  })
  nullable = false
}

variable "invokers" {
  description = "Who may call the function: members as in IAM, under keys that are known before anything is made."
  type        = map(string)
  nullable    = false

  validation {
    condition     = !anytrue([for member in values(var.invokers) : startswith(member, "all")])
    error_message = "A function is never open to allUsers or allAuthenticatedUsers."
  }
}

variable "internal" {
  description = "Whether the function is reached from inside Google Cloud only."
  type        = bool
  default     = false
  nullable    = false
}
