// Generated from the definitions of the server by `npx node scripts/web-types.ts`. Do not edit.

export interface AffectedAsset {
  readonly asset_type: 'ATM' | 'Access reader' | 'Administrator' | 'Auditor' | 'Auth token' | 'Backup' | 'Broadband' | 'Call center' | 'Camera' | 'Cashier' | 'Customer' | 'DCS' | 'DHCP' | 'DNS' | 'Database' | 'Desktop' | 'Developer' | 'Directory' | 'Disk drive' | 'Disk media' | 'Documents' | 'End-user' | 'Executive' | 'File' | 'Finance' | 'Firewall' | 'Flash drive' | 'Former employee' | 'Gas terminal' | 'Guard' | 'HSM' | 'Helpdesk' | 'Human resources' | 'IDS' | 'Kiosk' | 'LAN' | 'Laptop' | 'Log' | 'Mail' | 'Mainframe' | 'Maintenance' | 'Manager' | 'Media' | 'Mobile phone' | 'Network' | 'PBX' | 'PED pad' | 'PLC' | 'POS controller' | 'POS terminal' | 'Partner' | 'Payment card' | 'Payment switch' | 'Peripheral' | 'Person' | 'Print' | 'Private WAN' | 'Proxy' | 'Public WAN' | 'RTU' | 'Remote access' | 'Router or switch' | 'SAN' | 'SCADA' | 'Server' | 'Smart card' | 'Tablet' | 'Tapes' | 'Telephone' | 'Unknown' | 'User Device' | 'VoIP adapter' | 'VoIP phone' | 'WLAN' | 'Web application'
  readonly description: string
  readonly location_class: 'Co-Located' | 'Externally-Located' | 'Internally-Located' | 'Mobile' | 'Unknown'
  readonly management_class: 'Co-Management' | 'Externally-Management' | 'Internally-Managed' | 'Unknown'
  readonly ownership_class: 'Customer-Owned' | 'Employee-Owned' | 'Internally-Owned' | 'Partner-Owned' | 'Unknown'
  readonly type?: 'affected-asset'
  readonly business_function_or_role?: string
  readonly nature_of_security_effect_properties_affected?: readonly {
    readonly type?: string
    readonly property?: string | {
      readonly value: string
      readonly vocab?: string
      readonly vocab_name?: string
      readonly vocab_reference?: string
      readonly value_vocab?: string
      readonly [name: string]: unknown
    }
    readonly description_of_effect?: string
    readonly type_of_availability_loss?: string | {
      readonly value: string
      readonly vocab?: string
      readonly vocab_name?: string
      readonly vocab_reference?: string
      readonly value_vocab?: string
      readonly [name: string]: unknown
    }
    readonly duration_of_availability_loss?: string | {
      readonly value: string
      readonly vocab?: string
      readonly vocab_name?: string
      readonly vocab_reference?: string
      readonly value_vocab?: string
      readonly [name: string]: unknown
    }
    readonly non_public_data_compromised?: string | {
      readonly value: string
      readonly vocab?: string
      readonly vocab_name?: string
      readonly vocab_reference?: string
      readonly value_vocab?: string
      readonly [name: string]: unknown
    }
    readonly [name: string]: unknown
  }[]
  readonly [name: string]: unknown
}

export interface AttackAnalysis {
  readonly id: number
  readonly name: string
  readonly description: string
  readonly attack_matrix: 'enterprise-attack' | 'mobile-attack' | 'ics-attack' | 'DISARM'
  readonly scope_datasets: readonly string[]
  readonly scope_entities: readonly string[]
  readonly ui_metadata: {
    readonly layer?: {
      readonly name: string
      readonly domain: unknown
      readonly description?: string
      readonly techniques?: readonly {
        readonly techniqueID: string
        readonly tactic?: string
        readonly score?: number
        readonly color?: string
        readonly comment?: string
        readonly enabled?: boolean
        readonly showSubtechniques?: boolean
        readonly metadata?: readonly {
          readonly name?: string
          readonly value?: string
          readonly divider?: boolean
          readonly [name: string]: unknown
        }[]
        readonly links?: readonly {
          readonly label?: string
          readonly url?: string
          readonly divider?: boolean
          readonly [name: string]: unknown
        }[]
        readonly [name: string]: unknown
      }[]
      readonly filters?: Readonly<Record<string, unknown>>
      readonly layout?: Readonly<Record<string, unknown>>
      readonly sorting?: number
      readonly hideDisabled?: boolean
      readonly gradient?: {
        readonly colors?: readonly string[]
        readonly minValue?: number
        readonly maxValue?: number
        readonly [name: string]: unknown
      }
      readonly legendItems?: readonly {
        readonly label?: string
        readonly color?: string
        readonly [name: string]: unknown
      }[]
      readonly metadata?: readonly {
        readonly name?: string
        readonly value?: string
        readonly divider?: boolean
        readonly [name: string]: unknown
      }[]
      readonly links?: readonly {
        readonly label?: string
        readonly url?: string
        readonly divider?: boolean
        readonly [name: string]: unknown
      }[]
      readonly showTacticRowBackground?: boolean
      readonly tacticRowBackground?: string
      readonly selectTechniquesAcrossTactics?: boolean
      readonly selectSubtechniquesWithParent?: boolean
      readonly selectVisibleTechniques?: boolean
      readonly [name: string]: unknown
    }
    readonly [name: string]: unknown
  }
  readonly created_at: string
  readonly created_by: string | null
  readonly last_updated_at: string
  readonly last_updated_by: string | null
}

export interface AttackAnnotation {
  readonly id: number
  readonly attack_analysis: string
  readonly attack_node: string
  readonly content: string
  readonly created_at: string
  readonly created_by: string | null
  readonly last_updated_at: string
  readonly last_updated_by: string | null
}

export interface AttackDefense {
  readonly id: number
  readonly name: string
  readonly type: 'analytic' | 'data-component' | 'detection-strategy' | 'mitigation'
  readonly description: string
  readonly domains: readonly ('enterprise-attack' | 'mobile-attack' | 'ics-attack' | 'DISARM')[]
  readonly matrix: 'enterprise-attack' | 'mobile-attack' | 'ics-attack' | 'DISARM' | null
  readonly external_references: readonly {
    readonly source_name: string
    readonly external_id?: string
    readonly url?: string
    readonly description?: string
  }[]
  readonly external_id: string | null
  readonly stix_id: string | null
  readonly related_defenses: readonly string[]
  readonly mitre_platforms: readonly string[] | null
  readonly mutable_elements: readonly {
    readonly field: string
    readonly description: string
  }[] | null
  readonly is_system: boolean
  readonly created_at: string
  readonly created_by: string | null
  readonly last_updated_at: string
  readonly last_updated_by: string | null
}

export interface AttackNode {
  readonly id: number
  readonly name: string
  readonly type: 'matrix' | 'tactic' | 'technique' | 'subtechnique'
  readonly description: string
  readonly matrix: 'enterprise-attack' | 'mobile-attack' | 'ics-attack' | 'DISARM'
  readonly parent: string | null
  readonly full_path: readonly {
    readonly id: string
    readonly name: string
    readonly type: 'matrix' | 'tactic' | 'technique' | 'subtechnique'
  }[]
  readonly external_references: readonly {
    readonly source_name: string
    readonly external_id?: string
    readonly url?: string
    readonly description?: string
  }[]
  readonly external_id: string
  readonly stix_id: string
  readonly position: number
  readonly platforms: readonly string[]
  readonly state: 'live' | 'revoked' | 'deprecated'
  readonly successors: readonly string[]
  readonly since: string
  readonly until: string | null
}

export interface AuditEntry {
  readonly id: string
  readonly at: string
  readonly user: string | null
  readonly username: string | null
  readonly method: string
  readonly route: string
  readonly path: string
  readonly status: number
  readonly address: string
  readonly user_agent: string
  readonly milliseconds: number
}

export interface CSVMapping {
  readonly id: number
  readonly name: string
  readonly mappings: readonly {
    readonly column_name: string
    readonly vendor_fields: readonly string[]
    readonly parameters: {
      readonly column_delimiter?: string
      readonly maliciousness?: 'unknown' | 'safe' | 'low' | 'medium' | 'high'
      readonly time_format?: string
      readonly title_before_description?: boolean
      readonly title_heading?: string
    }
  }[]
  readonly columns: readonly string[]
  readonly config: {
    readonly comment_character: string
    readonly delimiter: string
    readonly first_row_is_header: boolean
    readonly ignore_comment_lines: boolean
    readonly ignore_lines_without_delimiter: boolean
    readonly parse_tags: boolean
    readonly quote_character: string
    readonly tags_delimiter: string
  }
  readonly csv_url: string | null
  readonly default_field_values: Readonly<Record<string, unknown>>
  readonly description: string | null
  readonly incoming_feeds: readonly string[]
  readonly created_at: string
  readonly created_by: string | null
  readonly last_updated_at: string
  readonly last_updated_by: string | null
}

export interface CiqIdentity {
  readonly type?: 'identity'
  readonly id?: string
  readonly idref?: string
  readonly name?: string
  readonly identity_type?: string
  readonly roles?: readonly (string | {
    readonly value: string
    readonly vocab?: string
    readonly vocab_name?: string
    readonly vocab_reference?: string
    readonly value_vocab?: string
    readonly [name: string]: unknown
  })[]
  readonly specification_xml?: string
  readonly specification_xml_type?: string
  readonly [name: string]: unknown
}

export interface ConfidenceRecord {
  readonly type: 'confidence'
  readonly value: 'None' | 'Low' | 'Medium' | 'High' | 'Unknown' | string
  readonly value_vocab?: string
  readonly description?: string
  readonly source?: string | InformationSource
  readonly timestamp?: string
  readonly timestamp_precision?: 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second'
  readonly [name: string]: unknown
}

export interface Configuration {
  readonly cce_id: string
  readonly description: string
  readonly type?: 'configuration'
  readonly short_description?: string
  readonly [name: string]: unknown
}

export interface ConfigurationBundleProducer {
  readonly id: number
  readonly api_url: string
  readonly name: string | null
  readonly created_at: string
  readonly created_by: string | null
  readonly last_updated_at: string
  readonly last_updated_by: string | null
}

export interface ConsolidationEvent {
  readonly id: number
  readonly entity_id: string
  readonly unified_entity_id: string
  readonly method: 'rule-based' | 'user-assigned'
  readonly reason: {
    readonly kind: string
    readonly value: string
  } | null
  readonly policy: string | null
  readonly created_at: string
  readonly created_by: string | null
  readonly undone_at: string | null
  readonly undone_by: string | null
  readonly undone_reason: string | null
}

export interface ConsolidationPolicy {
  readonly id: number
  readonly name: string
  readonly is_active: boolean
  readonly merge_group: string
  readonly task: string | null
  readonly status: string | null
  readonly warning: string | null
  readonly unified_count: number
  readonly contributors_count: number
  readonly created_at: string
  readonly created_by: string | null
  readonly last_updated_at: string
  readonly last_updated_by: string | null
}

export interface ConsolidationSuggestion {
  readonly id: number
  readonly first: string | null
  readonly second: string | null
  readonly type: string
  readonly reasons: readonly {
    readonly kind: string
    readonly value: string
  }[]
  readonly state: 'open' | 'accepted' | 'refused'
  readonly created_at: string
  readonly decided_at: string | null
  readonly decided_by: string | null
}

export interface ContentBlock {
  readonly id: number
  readonly content_type: string
  readonly filename: string
  readonly run_id: string
  readonly losses_count: number
  readonly download_url: string | null
  readonly signature_url: string | null
  readonly losses_url: string | null
  readonly size: number
  readonly items_count: number
  readonly delivery_status: 'PENDING' | 'DELIVERED' | 'FAILED' | 'READY' | 'SUPERSEDED'
  readonly delivery_error: string | null
  readonly delivered_at: string | null
  readonly attempts: number
  readonly outgoing_feed: string
  readonly meta: {
    readonly destination: string
    readonly original_content_type: string
    readonly signed_with_key_id: string | null
  }
  readonly purged_at: string | null
  readonly created_at: string
}

export interface ContentGenerationPrompt {
  readonly id: number
  readonly name: string
  readonly description: string
  readonly content_prompt: string
  readonly formatting_prompt: string
  readonly entity_types: readonly unknown[]
  readonly target_language: 'Albanian' | 'Arabic' | 'Bosnian' | 'Bulgarian' | 'Chinese(Simplified)' | 'Chinese(Traditional)' | 'Croatian' | 'Czech' | 'Danish' | 'Dutch' | 'English' | 'Estonian' | 'Farsi(Persian)' | 'Finnish' | 'French' | 'German' | 'Greek' | 'Hebrew' | 'Hindi' | 'Hungarian' | 'Icelandic' | 'Italian' | 'Japanese' | 'Korean' | 'Latvian' | 'Lithuanian' | 'Macedonian' | 'Norwegian' | 'Polish' | 'Portuguese' | 'Romanian' | 'Russian' | 'Serbian' | 'Slovak' | 'Slovenian' | 'Spanish' | 'Swedish' | 'Turkish' | 'Ukrainian'
  readonly include_related_entities: boolean
  readonly is_enabled: boolean
  readonly is_pinned: boolean
  readonly limit_content_length: boolean
  readonly content_length: number | null
  readonly max_related_entities: number | null
  readonly entity_fields: readonly ('title' | 'type' | 'description' | 'observed_time' | 'tags' | 'taxonomy' | 'attack' | 'references')[]
  readonly created_at: string
  readonly created_by: string | null
  readonly last_updated_at: string
  readonly last_updated_by: string | null
}

export interface CustomAttribute {
  readonly id: number
  readonly name: string
  readonly data_type: 'string' | 'text' | 'integer' | 'number' | 'boolean' | 'date' | 'datetime' | 'url' | 'list'
  readonly allowed_values: readonly (string | number | boolean)[] | null
  readonly description: string | null
  readonly display_name: string | null
  readonly is_used_in_entity_schema: boolean
  readonly created_at: string
  readonly created_by: string | null
  readonly last_updated_at: string
  readonly last_updated_by: string | null
}

export interface CvssScore {
  readonly type?: 'cvss-vector'
  readonly base_score?: string
  readonly base_vector?: string
  readonly environmental_score?: string
  readonly environmental_vector?: string
  readonly overall_score?: string
  readonly temporal_score?: string
  readonly temporal_vector?: string
  readonly [name: string]: unknown
}

export interface Dashboard {
  readonly id: number
  readonly name: string
  readonly description: string
  readonly collaborators: readonly string[]
  readonly groups: readonly string[]
  readonly widgets: readonly string[]
  readonly is_pinned: boolean
  readonly is_protected: boolean
  readonly is_shared_with_all: boolean
  readonly ui_metadata: Readonly<Record<string, unknown>>
  readonly created_at: string
  readonly created_by: string | null
  readonly last_updated_at: string
  readonly last_updated_by: string | null
}

export interface DataAttachment {
  readonly type: 'vendor-attachment'
  readonly name: string
  readonly content: string
  readonly content_type?: string
  readonly [name: string]: unknown
}

export interface Dataset {
  readonly id: number
  readonly name: string
  readonly description: string | null
  readonly search_query: string | null
  readonly relational_query: {
    readonly start: {
      readonly query?: string
      readonly entities?: readonly unknown[]
      readonly datasets?: readonly unknown[]
    }
    readonly hops: readonly {
      readonly direction: 'out' | 'in' | 'any'
      readonly keys?: readonly string[]
      readonly subtypes?: readonly ('stix_update_of' | null)[]
      readonly entity_types?: readonly unknown[]
      readonly via: 'relationships' | 'observables' | 'both'
      readonly observable_types?: readonly unknown[]
      readonly depth: number
      readonly query?: string
    }[]
    readonly include: 'last' | 'reached' | 'all'
    readonly consolidation?: 'all' | 'unified' | 'contributors'
  } | null
  readonly entities_count: number
  readonly workspaces: readonly string[]
  readonly is_favorite: boolean
  readonly is_dynamic: boolean
  readonly is_relational: boolean
  readonly created_at: string
  readonly created_by: string | null
  readonly last_updated_at: string
  readonly last_updated_by: string | null
}

export interface DefenseInnerRelationship {
  readonly id: number
  readonly from_defense: string
  readonly to_defense: string
  readonly type: 'analytic-references' | 'log-source-references'
  readonly name: string
  readonly channel: string
  readonly is_system: boolean
  readonly created_at: string
  readonly created_by: string | null
  readonly last_updated_at: string
  readonly last_updated_by: string | null
}

export interface DefenseRelationship {
  readonly id: number
  readonly defense: string
  readonly technique: string
  readonly type: 'mitigates' | 'detects'
  readonly description: string
  readonly is_system: boolean
  readonly created_at: string
  readonly created_by: string | null
  readonly last_updated_at: string
  readonly last_updated_by: string | null
}

export interface DefenseStatus {
  readonly id: number
  readonly defense: string
  readonly status: 'none' | 'planned' | 'partial' | 'done'
  readonly score: number
  readonly owner: string | null
  readonly note: string
  readonly review_at: string | null
  readonly created_at: string
  readonly created_by: string | null
  readonly last_updated_at: string
  readonly last_updated_by: string | null
}

export interface Detonation {
  readonly id: string
  readonly detonator: string
  readonly kind: 'file' | 'url'
  readonly filename: string
  readonly size: number
  readonly hashes: {
    readonly md5: string
    readonly sha1: string
    readonly sha256: string
  }
  readonly url: string | null
  readonly observable: string | null
  readonly attachment: string | null
  readonly file: string | null
  readonly origin: string | null
  readonly options: Readonly<Record<string, unknown>>
  readonly state: 'WAITING' | 'CHECKING' | 'SUBMITTING' | 'RUNNING' | 'REPORTING' | 'FINISHED' | 'FAILED' | 'REFUSED' | 'CANCELLED'
  readonly state_reason: string
  readonly verdict: 'malicious' | 'suspicious' | 'clean' | 'unknown' | null
  readonly score: number | null
  readonly families: readonly string[]
  readonly tags: readonly string[]
  readonly vendor_url: string | null
  readonly environment: string | null
  readonly entity: string | null
  readonly entities: readonly {
    readonly entity_id: string | null
    readonly entity_type: string
    readonly meta_stix_id: string | null
    readonly value: string
  }[]
  readonly extracts: readonly {
    readonly kind: string
    readonly value: string
    readonly classification: 'good' | 'bad' | 'unknown'
    readonly confidence: 'low' | 'medium' | 'high'
    readonly link_type: string | null
  }[]
  readonly attacks: readonly {
    readonly tactic_id: string | null
    readonly technique_id: string | null
  }[]
  readonly processes: readonly {
    readonly pid: number | null
    readonly parent: number | null
    readonly name: string
    readonly command_line: string | null
  }[]
  readonly network: readonly {
    readonly protocol: string
    readonly host: string | null
    readonly address: string | null
    readonly port: number | null
    readonly url: string | null
  }[]
  readonly signatures: readonly {
    readonly name: string
    readonly description: string | null
    readonly severity: number | null
    readonly techniques: readonly string[]
  }[]
  readonly dropped_files: readonly {
    readonly name: string
    readonly size: number | null
    readonly md5: string | null
    readonly sha1: string | null
    readonly sha256: string | null
  }[]
  readonly screenshots: readonly {
    readonly filename: string
    readonly url: string
  }[]
  readonly warnings: readonly string[]
  readonly report_url: string
  readonly sample_url: string
  readonly was_known: boolean
  readonly requested_at: string
  readonly created_at: string
  readonly submitted_at: string
  readonly finished_at: string
  readonly created_by: string | null
}

export interface DetonatorTask {
  readonly id: number
  readonly name: string
  readonly adapter: string
  readonly task_name: string
  readonly task_type: string
  readonly description: string
  readonly is_active: boolean
  readonly is_installed: boolean
  readonly detonation_per_day_limit: number | null
  readonly today_detonation_count: number
  readonly parameters: Readonly<Record<string, unknown>>
  readonly selected_extract_types: readonly string[]
  readonly supported_detonation_types: readonly ('file' | 'url')[]
  readonly supported_extract_types: readonly string[]
  readonly terms: readonly {
    readonly id: string
    readonly title: string
    readonly text: string
    readonly url: string | null
  }[]
  readonly is_consented: boolean
  readonly ui_form_schema: readonly (Readonly<Record<string, unknown>>)[]
  readonly source: string
  readonly max_tlp: string | null
  readonly tlp_color: string | null
  readonly source_reliability: string | null
  readonly cache_validity: number
  readonly state: 'ACTIVE' | 'WAITING' | 'UNREACHABLE' | 'SUSPENDED' | 'NOT_INSTALLED' | 'INACTIVE'
  readonly state_reason: string
  readonly suspended_at: string | null
  readonly resumes_at: string
  readonly created_at: string
  readonly created_by: string | null
  readonly last_updated_at: string
  readonly last_updated_by: string | null
}

export interface DiscoveryRule {
  readonly id: number
  readonly name: string
  readonly description: string | null
  readonly is_active: boolean
  readonly keywords: readonly string[]
  readonly match_keywords_in: readonly string[]
  readonly entity_types: readonly string[]
  readonly search_query: string | null
  readonly sources: readonly string[]
  readonly workspaces: readonly string[]
  readonly execution_schedule: {
    readonly cron: string | null
    readonly interval: number | null
    readonly time_zone: string
  } | null
  readonly task: string | null
  readonly status: string | null
  readonly problem: string | null
  readonly discovered_count: number
  readonly last_discovered_at: string | null
  readonly entities: readonly string[]
  readonly external_url: string
  readonly created_at: string
  readonly created_by: string | null
  readonly last_updated_at: string
  readonly last_updated_by: string | null
}

export interface Enricher {
  readonly id: number
  readonly name: string
  readonly enricher: string
  readonly description: string
  readonly is_active: boolean
  readonly supported_observable_types: readonly string[]
  readonly parameters: Readonly<Record<string, unknown>>
  readonly cache_validity: number
  readonly rate_limit: number | null
  readonly execution_cap: number | null
  readonly limits: readonly {
    readonly calls: number
    readonly seconds: number
  }[]
  readonly concurrency: number
  readonly max_tlp: string | null
  readonly cost_per_call: number | null
  readonly source_urls: Readonly<Record<string, unknown>>
  readonly source_reliability: string | null
  readonly tlp_color: string | null
  readonly extra: Readonly<Record<string, unknown>>
  readonly source: string
  readonly task: string | null
  readonly state: 'ACTIVE' | 'WAITING' | 'UNREACHABLE' | 'SUSPENDED' | 'NOT_INSTALLED' | 'INACTIVE'
  readonly state_reason: string
  readonly suspended_at: string | null
  readonly resumes_at: string
  readonly quota: readonly {
    readonly seconds: number | null
    readonly calls: number
    readonly used: number
    readonly left: number
    readonly resets_at: string | null
  }[]
  readonly last_call_at: string | null
  readonly last_run: string | null
  readonly waiting_count: number
  readonly found_count: number
  readonly empty_count: number
  readonly failed_count: number
  readonly created_at: string
  readonly created_by: string | null
  readonly last_updated_at: string
  readonly last_updated_by: string | null
}

export interface EnricherDefinition {
  readonly id: number
  readonly name: string
  readonly description: string
  readonly definition: Readonly<Record<string, unknown>>
  readonly function: string
  readonly created_at: string
  readonly created_by: string | null
  readonly last_updated_at: string
  readonly last_updated_by: string | null
}

export interface EnricherTable {
  readonly id: number
  readonly name: string
  readonly description: string
  readonly format: 'csv' | 'json' | 'list' | 'mmdb'
  readonly key_column: string
  readonly end_column: string
  readonly columns: readonly string[]
  readonly url: string | null
  readonly execution_schedule: {
    readonly cron: string | null
    readonly interval: number | null
    readonly time_zone: string
  } | null
  readonly task: string | null
  readonly status: string | null
  readonly rows: number
  readonly size: number
  readonly loaded_at: string | null
  readonly created_at: string
  readonly created_by: string | null
  readonly last_updated_at: string
  readonly last_updated_by: string | null
}

export interface Enrichment {
  readonly id: number
  readonly enricher: string
  readonly observable: string
  readonly state: 'PENDING' | 'FOUND' | 'EMPTY' | 'FAILED' | 'SKIPPED'
  readonly reason: string | null
  readonly is_pending: boolean
  readonly findings: readonly {
    readonly kind: string
    readonly [name: string]: unknown
  }[]
  readonly warnings: readonly string[]
  readonly looked_up_at: string | null
  readonly expires_at: string | null
  readonly raw_size: number
  readonly run: string | null
  readonly requested_by: string | null
  readonly created_at: string
}

export interface EnrichmentRule {
  readonly id: number
  readonly name: string
  readonly description: string | null
  readonly is_active: boolean
  readonly criteria: readonly {
    readonly entity_type: 'attack-pattern' | 'campaign' | 'course-of-action' | 'custom-entity' | 'exploit-target' | 'identity' | 'incident' | 'indicator' | 'infrastructure' | 'intrusion-set' | 'location' | 'malware' | 'malware-analysis' | 'note' | 'report' | 'threat-actor' | 'tool' | 'ttp' | 'vendor-sighting' | null
    readonly source: string | null
    readonly tlp: 'NONE' | 'WHITE' | 'GREEN' | 'AMBER' | 'RED' | null
    readonly without_tlp: boolean
  }[]
  readonly enrichers: readonly string[]
  readonly stop_at: 'safe' | 'low' | 'medium' | 'high' | null
  readonly is_retroactive: boolean
  readonly execution_schedule: {
    readonly cron: string | null
    readonly interval: number | null
    readonly time_zone: string
  } | null
  readonly time_field: 'ingestion' | 'start' | 'observed' | null
  readonly time_period: number | null
  readonly task: string | null
  readonly status: string | null
  readonly problem: string | null
  readonly enqueued_count: number
  readonly last_enqueued_at: string | null
  readonly created_at: string
  readonly created_by: string | null
  readonly last_updated_at: string
  readonly last_updated_by: string | null
}

export interface Entity {
  readonly id: string
  readonly data: EntityDataAttackPattern | EntityDataCampaign | EntityDataCourseOfAction | EntityDataCustomEntity | EntityDataExploitTarget | EntityDataIdentity | EntityDataIncident | EntityDataIndicator | EntityDataInfrastructure | EntityDataIntrusionSet | EntityDataLocation | EntityDataMalware | EntityDataMalwareAnalysis | EntityDataNote | EntityDataReport | EntityDataThreatActor | EntityDataTool | EntityDataTtp | EntityDataVendorSighting
  readonly meta: {
    readonly alias?: string
    readonly manual_extracts?: readonly Extract[]
    readonly report_template?: {
      readonly id?: string | number
      readonly name?: string
      readonly [name: string]: unknown
    } | null
    readonly generated_by?: {
      readonly feature: string
      readonly provider: string
      readonly model: string
      readonly generated_at: string
      readonly prompt_hash?: string | null
      readonly inputs?: readonly string[]
      readonly [name: string]: unknown
    } | null
    readonly source_reliability?: 'A' | 'B' | 'C' | 'D' | 'E' | 'F' | null
    readonly tlp_color?: 'NONE' | 'WHITE' | 'GREEN' | 'AMBER' | 'RED' | 'CLEAR' | 'AMBER_STRICT' | null
    readonly half_life?: number
    readonly estimated_threat_start_time?: unknown | null
    readonly estimated_threat_end_time?: unknown | null
    readonly estimated_observed_time?: unknown | null
    readonly tags?: readonly string[]
    readonly taxonomies?: readonly (string | number)[]
    readonly attacks?: readonly (string | number)[]
    readonly [name: string]: unknown
  }
  readonly attachments: readonly string[]
  readonly datasets: readonly string[]
  readonly observables: readonly string[]
  readonly sources: readonly string[]
  readonly incoming_feed: string | null
  readonly outgoing_feeds: readonly string[]
  readonly relevancy: number | null
  readonly created_at: string
  readonly created_by: string | null
  readonly last_updated_at: string
}

export interface EntityAttachment {
  readonly id: string
  readonly filename: string
  readonly entities: readonly string[]
  readonly meta: Readonly<Record<string, unknown>>
  readonly download_url: string
  readonly size: number
  readonly hashes: {
    readonly md5: string
    readonly sha1: string
    readonly sha256: string
  }
  readonly content_type: string
  readonly created_at: string
  readonly created_by: string | null
  readonly last_updated_at: string
  readonly last_updated_by: string | null
}

export interface EntityDataAttackPattern {
  readonly type: 'attack-pattern'
  readonly title: string
  readonly id?: string
  readonly description?: string
  readonly short_description?: string
  readonly description_structuring_format?: string
  readonly confidence?: 'unknown' | 'none' | 'low' | 'medium' | 'high' | ConfidenceRecord
  readonly timestamp?: string | null
  readonly extracts?: readonly Extract[]
  readonly attachments?: readonly DataAttachment[]
  readonly handling?: readonly MarkingSpecification[]
  readonly information_source?: InformationSource
  readonly external_references?: readonly ExternalReference[]
  readonly name?: string
  readonly spec_version?: string
  readonly created?: string
  readonly modified?: string
  readonly created_by_ref?: string
  readonly revoked?: boolean
  readonly labels?: readonly string[]
  readonly lang?: string
  readonly object_marking_refs?: readonly string[]
  readonly granular_markings?: readonly (Readonly<Record<string, unknown>>)[]
  readonly extensions?: Readonly<Record<string, unknown>>
  readonly aliases?: readonly string[]
  readonly kill_chain_phases?: readonly KillChainPhase[]
  readonly [name: string]: unknown
}

export interface EntityDataCampaign {
  readonly type: 'campaign'
  readonly title: string
  readonly id?: string
  readonly description?: string
  readonly short_description?: string
  readonly description_structuring_format?: string
  readonly confidence?: 'unknown' | 'none' | 'low' | 'medium' | 'high' | ConfidenceRecord
  readonly timestamp?: string | null
  readonly extracts?: readonly Extract[]
  readonly attachments?: readonly DataAttachment[]
  readonly handling?: readonly MarkingSpecification[]
  readonly information_source?: InformationSource
  readonly external_references?: readonly ExternalReference[]
  readonly name?: string
  readonly spec_version?: string
  readonly created?: string
  readonly modified?: string
  readonly created_by_ref?: string
  readonly revoked?: boolean
  readonly labels?: readonly string[]
  readonly lang?: string
  readonly object_marking_refs?: readonly string[]
  readonly granular_markings?: readonly (Readonly<Record<string, unknown>>)[]
  readonly extensions?: Readonly<Record<string, unknown>>
  readonly names?: readonly {
    readonly value: string
    readonly [name: string]: unknown
  }[]
  readonly status?: 'Future' | 'Historic' | 'Ongoing'
  readonly intended_effects?: readonly {
    readonly value: string
    readonly type?: string
    readonly description?: string
    readonly source?: string | InformationSource
    readonly confidence?: 'unknown' | 'none' | 'low' | 'medium' | 'high' | ConfidenceRecord
    readonly timestamp?: string
    readonly timestamp_precision?: 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second'
    readonly value_vocab?: string
    readonly [name: string]: unknown
  }[]
  readonly custom_attributes?: Readonly<Record<string, unknown>> | readonly (Readonly<Record<string, unknown>>)[]
  readonly aliases?: readonly string[]
  readonly objective?: string
  readonly first_seen?: string
  readonly last_seen?: string
  readonly [name: string]: unknown
}

export interface EntityDataCourseOfAction {
  readonly type: 'course-of-action'
  readonly title: string
  readonly id?: string
  readonly description?: string
  readonly short_description?: string
  readonly description_structuring_format?: string
  readonly confidence?: 'unknown' | 'none' | 'low' | 'medium' | 'high' | ConfidenceRecord
  readonly timestamp?: string | null
  readonly extracts?: readonly Extract[]
  readonly attachments?: readonly DataAttachment[]
  readonly handling?: readonly MarkingSpecification[]
  readonly information_source?: InformationSource
  readonly external_references?: readonly ExternalReference[]
  readonly name?: string
  readonly spec_version?: string
  readonly created?: string
  readonly modified?: string
  readonly created_by_ref?: string
  readonly revoked?: boolean
  readonly labels?: readonly string[]
  readonly lang?: string
  readonly object_marking_refs?: readonly string[]
  readonly granular_markings?: readonly (Readonly<Record<string, unknown>>)[]
  readonly extensions?: Readonly<Record<string, unknown>>
  readonly coa_type?: 'Diplomatic Actions' | 'Eradication' | 'Hardening' | 'Internal Blocking' | 'Logical Access Restrictions' | 'Monitoring' | 'Other' | 'Patching' | 'Perimeter Blocking' | 'Physical Access Restrictions' | 'Policy Actions' | 'Public Disclosure' | 'Rebuilding' | 'Redirection' | 'Redirection (Honey Pot)' | 'Training'
  readonly stage?: 'Remedy' | 'Response'
  readonly cost?: StatementRecord
  readonly efficacy?: StatementRecord
  readonly impact?: StatementRecord
  readonly objective?: {
    readonly type?: string
    readonly description?: string
    readonly short_description?: string
    readonly applicability_confidence?: {
      readonly value: 'None' | 'Low' | 'Medium' | 'High' | 'Unknown' | string
      readonly value_vocab?: string
      readonly description?: string
      readonly [name: string]: unknown
    }
    readonly [name: string]: unknown
  }
  readonly custom_attributes?: Readonly<Record<string, unknown>> | readonly (Readonly<Record<string, unknown>>)[]
  readonly [name: string]: unknown
}

export interface EntityDataCustomEntity {
  readonly type: 'custom-entity'
  readonly title: string
  readonly id?: string
  readonly description?: string
  readonly short_description?: string
  readonly description_structuring_format?: string
  readonly confidence?: 'unknown' | 'none' | 'low' | 'medium' | 'high' | ConfidenceRecord
  readonly timestamp?: string | null
  readonly extracts?: readonly Extract[]
  readonly attachments?: readonly DataAttachment[]
  readonly handling?: readonly MarkingSpecification[]
  readonly information_source?: InformationSource
  readonly external_references?: readonly ExternalReference[]
  readonly name?: string
  readonly spec_version?: string
  readonly created?: string
  readonly modified?: string
  readonly created_by_ref?: string
  readonly revoked?: boolean
  readonly labels?: readonly string[]
  readonly lang?: string
  readonly object_marking_refs?: readonly string[]
  readonly granular_markings?: readonly (Readonly<Record<string, unknown>>)[]
  readonly extensions?: Readonly<Record<string, unknown>>
  readonly custom_attributes?: Readonly<Record<string, unknown>> | readonly (Readonly<Record<string, unknown>>)[]
  readonly custom_entity_type: string
  readonly [name: string]: unknown
}

export interface EntityDataExploitTarget {
  readonly type: 'exploit-target'
  readonly title: string
  readonly id?: string
  readonly description?: string
  readonly short_description?: string
  readonly description_structuring_format?: string
  readonly confidence?: 'unknown' | 'none' | 'low' | 'medium' | 'high' | ConfidenceRecord
  readonly timestamp?: string | null
  readonly extracts?: readonly Extract[]
  readonly attachments?: readonly DataAttachment[]
  readonly handling?: readonly MarkingSpecification[]
  readonly information_source?: InformationSource
  readonly external_references?: readonly ExternalReference[]
  readonly name?: string
  readonly spec_version?: string
  readonly created?: string
  readonly modified?: string
  readonly created_by_ref?: string
  readonly revoked?: boolean
  readonly labels?: readonly string[]
  readonly lang?: string
  readonly object_marking_refs?: readonly string[]
  readonly granular_markings?: readonly (Readonly<Record<string, unknown>>)[]
  readonly extensions?: Readonly<Record<string, unknown>>
  readonly configurations?: readonly Configuration[]
  readonly vulnerabilities?: readonly Vulnerability[]
  readonly weaknesses?: readonly Weakness[]
  readonly custom_attributes?: Readonly<Record<string, unknown>> | readonly (Readonly<Record<string, unknown>>)[]
  readonly [name: string]: unknown
}

export interface EntityDataIdentity {
  readonly type: 'identity'
  readonly title: string
  readonly id?: string
  readonly description?: string
  readonly short_description?: string
  readonly description_structuring_format?: string
  readonly confidence?: 'unknown' | 'none' | 'low' | 'medium' | 'high' | ConfidenceRecord
  readonly timestamp?: string | null
  readonly extracts?: readonly Extract[]
  readonly attachments?: readonly DataAttachment[]
  readonly handling?: readonly MarkingSpecification[]
  readonly information_source?: InformationSource
  readonly external_references?: readonly ExternalReference[]
  readonly name?: string
  readonly spec_version?: string
  readonly created?: string
  readonly modified?: string
  readonly created_by_ref?: string
  readonly revoked?: boolean
  readonly labels?: readonly string[]
  readonly lang?: string
  readonly object_marking_refs?: readonly string[]
  readonly granular_markings?: readonly (Readonly<Record<string, unknown>>)[]
  readonly extensions?: Readonly<Record<string, unknown>>
  readonly roles?: readonly string[]
  readonly identity_class?: string
  readonly sectors?: readonly string[]
  readonly contact_information?: string
  readonly [name: string]: unknown
}

export interface EntityDataIncident {
  readonly type: 'incident'
  readonly title: string
  readonly id?: string
  readonly description?: string
  readonly short_description?: string
  readonly description_structuring_format?: string
  readonly confidence?: 'unknown' | 'none' | 'low' | 'medium' | 'high' | ConfidenceRecord
  readonly timestamp?: string | null
  readonly extracts?: readonly Extract[]
  readonly attachments?: readonly DataAttachment[]
  readonly handling?: readonly MarkingSpecification[]
  readonly information_source?: InformationSource
  readonly external_references?: readonly ExternalReference[]
  readonly name?: string
  readonly spec_version?: string
  readonly created?: string
  readonly modified?: string
  readonly created_by_ref?: string
  readonly revoked?: boolean
  readonly labels?: readonly string[]
  readonly lang?: string
  readonly object_marking_refs?: readonly string[]
  readonly granular_markings?: readonly (Readonly<Record<string, unknown>>)[]
  readonly extensions?: Readonly<Record<string, unknown>>
  readonly affected_assets?: readonly AffectedAsset[]
  readonly categories?: readonly (string | {
    readonly value: string
    readonly vocab?: string
    readonly vocab_name?: string
    readonly vocab_reference?: string
    readonly value_vocab?: string
    readonly [name: string]: unknown
  })[]
  readonly contacts?: readonly InformationSource[]
  readonly coordinators?: readonly InformationSource[]
  readonly discovery_methods?: readonly (string | {
    readonly value: string
    readonly vocab?: string
    readonly vocab_name?: string
    readonly vocab_reference?: string
    readonly value_vocab?: string
    readonly [name: string]: unknown
  })[]
  readonly impact_assessment?: Readonly<Record<string, unknown>>
  readonly intended_effects?: readonly {
    readonly value: string
    readonly type?: string
    readonly description?: string
    readonly source?: string | InformationSource
    readonly confidence?: 'unknown' | 'none' | 'low' | 'medium' | 'high' | ConfidenceRecord
    readonly timestamp?: string
    readonly timestamp_precision?: 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second'
    readonly value_vocab?: string
    readonly [name: string]: unknown
  }[]
  readonly reporter?: InformationSource
  readonly responders?: readonly InformationSource[]
  readonly security_compromise?: string | {
    readonly value: string
    readonly vocab?: string
    readonly vocab_name?: string
    readonly vocab_reference?: string
    readonly value_vocab?: string
    readonly [name: string]: unknown
  }
  readonly status?: string | {
    readonly value: string
    readonly vocab?: string
    readonly vocab_name?: string
    readonly vocab_reference?: string
    readonly value_vocab?: string
    readonly [name: string]: unknown
  }
  readonly time?: Readonly<Record<string, unknown>>
  readonly victims?: readonly CiqIdentity[]
  readonly [name: string]: unknown
}

export interface EntityDataIndicator {
  readonly type: 'indicator'
  readonly title: string
  readonly id?: string
  readonly description?: string
  readonly short_description?: string
  readonly description_structuring_format?: string
  readonly confidence?: 'unknown' | 'none' | 'low' | 'medium' | 'high' | ConfidenceRecord
  readonly timestamp?: string | null
  readonly extracts?: readonly Extract[]
  readonly attachments?: readonly DataAttachment[]
  readonly handling?: readonly MarkingSpecification[]
  readonly information_source?: InformationSource
  readonly external_references?: readonly ExternalReference[]
  readonly name?: string
  readonly spec_version?: string
  readonly created?: string
  readonly modified?: string
  readonly created_by_ref?: string
  readonly revoked?: boolean
  readonly labels?: readonly string[]
  readonly lang?: string
  readonly object_marking_refs?: readonly string[]
  readonly granular_markings?: readonly (Readonly<Record<string, unknown>>)[]
  readonly extensions?: Readonly<Record<string, unknown>>
  readonly indicator_types?: readonly string[]
  readonly kill_chain_phases?: readonly KillChainPhase[]
  readonly likely_impact?: StatementRecord
  readonly pattern?: string
  readonly pattern_type?: string
  readonly pattern_version?: string
  readonly test_mechanisms?: readonly (Readonly<Record<string, unknown>>)[]
  readonly types?: readonly (string | {
    readonly value: string
    readonly vocab?: string
    readonly vocab_name?: string
    readonly vocab_reference?: string
    readonly value_vocab?: string
    readonly [name: string]: unknown
  })[]
  readonly valid_from?: string
  readonly valid_until?: string | null
  readonly [name: string]: unknown
}

export interface EntityDataInfrastructure {
  readonly type: 'infrastructure'
  readonly title: string
  readonly id?: string
  readonly description?: string
  readonly short_description?: string
  readonly description_structuring_format?: string
  readonly confidence?: 'unknown' | 'none' | 'low' | 'medium' | 'high' | ConfidenceRecord
  readonly timestamp?: string | null
  readonly extracts?: readonly Extract[]
  readonly attachments?: readonly DataAttachment[]
  readonly handling?: readonly MarkingSpecification[]
  readonly information_source?: InformationSource
  readonly external_references?: readonly ExternalReference[]
  readonly name?: string
  readonly spec_version?: string
  readonly created?: string
  readonly modified?: string
  readonly created_by_ref?: string
  readonly revoked?: boolean
  readonly labels?: readonly string[]
  readonly lang?: string
  readonly object_marking_refs?: readonly string[]
  readonly granular_markings?: readonly (Readonly<Record<string, unknown>>)[]
  readonly extensions?: Readonly<Record<string, unknown>>
  readonly infrastructure_types?: readonly string[]
  readonly aliases?: readonly string[]
  readonly kill_chain_phases?: readonly KillChainPhase[]
  readonly first_seen?: string
  readonly last_seen?: string
  readonly [name: string]: unknown
}

export interface EntityDataIntrusionSet {
  readonly type: 'intrusion-set'
  readonly title: string
  readonly id?: string
  readonly description?: string
  readonly short_description?: string
  readonly description_structuring_format?: string
  readonly confidence?: 'unknown' | 'none' | 'low' | 'medium' | 'high' | ConfidenceRecord
  readonly timestamp?: string | null
  readonly extracts?: readonly Extract[]
  readonly attachments?: readonly DataAttachment[]
  readonly handling?: readonly MarkingSpecification[]
  readonly information_source?: InformationSource
  readonly external_references?: readonly ExternalReference[]
  readonly name?: string
  readonly spec_version?: string
  readonly created?: string
  readonly modified?: string
  readonly created_by_ref?: string
  readonly revoked?: boolean
  readonly labels?: readonly string[]
  readonly lang?: string
  readonly object_marking_refs?: readonly string[]
  readonly granular_markings?: readonly (Readonly<Record<string, unknown>>)[]
  readonly extensions?: Readonly<Record<string, unknown>>
  readonly aliases?: readonly string[]
  readonly goals?: readonly string[]
  readonly resource_level?: string | {
    readonly value: 'individual' | 'club' | 'contest' | 'team' | 'organization' | 'government' | string
    readonly value_vocab?: string
    readonly [name: string]: unknown
  }
  readonly primary_motivation?: string | {
    readonly value: 'accidental' | 'coercion' | 'dominance' | 'ideology' | 'notoriety' | 'organizational-gain' | 'personal-gain' | 'personal-satisfaction' | 'revenge' | 'unpredictable' | string
    readonly value_vocab?: string
    readonly [name: string]: unknown
  }
  readonly secondary_motivations?: readonly (string | {
    readonly value: 'accidental' | 'coercion' | 'dominance' | 'ideology' | 'notoriety' | 'organizational-gain' | 'personal-gain' | 'personal-satisfaction' | 'revenge' | 'unpredictable' | string
    readonly value_vocab?: string
    readonly [name: string]: unknown
  })[]
  readonly first_seen?: string
  readonly last_seen?: string
  readonly [name: string]: unknown
}

export interface EntityDataLocation {
  readonly type: 'location'
  readonly title: string
  readonly id?: string
  readonly description?: string
  readonly short_description?: string
  readonly description_structuring_format?: string
  readonly confidence?: 'unknown' | 'none' | 'low' | 'medium' | 'high' | ConfidenceRecord
  readonly timestamp?: string | null
  readonly extracts?: readonly Extract[]
  readonly attachments?: readonly DataAttachment[]
  readonly handling?: readonly MarkingSpecification[]
  readonly information_source?: InformationSource
  readonly external_references?: readonly ExternalReference[]
  readonly name?: string
  readonly spec_version?: string
  readonly created?: string
  readonly modified?: string
  readonly created_by_ref?: string
  readonly revoked?: boolean
  readonly labels?: readonly string[]
  readonly lang?: string
  readonly object_marking_refs?: readonly string[]
  readonly granular_markings?: readonly (Readonly<Record<string, unknown>>)[]
  readonly extensions?: Readonly<Record<string, unknown>>
  readonly latitude?: number
  readonly longitude?: number
  readonly precision?: number
  readonly region?: string
  readonly country?: string
  readonly administrative_area?: string
  readonly city?: string
  readonly street_address?: string
  readonly postal_code?: string
  readonly [name: string]: unknown
}

export interface EntityDataMalware {
  readonly type: 'malware'
  readonly title: string
  readonly id?: string
  readonly description?: string
  readonly short_description?: string
  readonly description_structuring_format?: string
  readonly confidence?: 'unknown' | 'none' | 'low' | 'medium' | 'high' | ConfidenceRecord
  readonly timestamp?: string | null
  readonly extracts?: readonly Extract[]
  readonly attachments?: readonly DataAttachment[]
  readonly handling?: readonly MarkingSpecification[]
  readonly information_source?: InformationSource
  readonly external_references?: readonly ExternalReference[]
  readonly name?: string
  readonly spec_version?: string
  readonly created?: string
  readonly modified?: string
  readonly created_by_ref?: string
  readonly revoked?: boolean
  readonly labels?: readonly string[]
  readonly lang?: string
  readonly object_marking_refs?: readonly string[]
  readonly granular_markings?: readonly (Readonly<Record<string, unknown>>)[]
  readonly extensions?: Readonly<Record<string, unknown>>
  readonly malware_types?: readonly string[]
  readonly is_family?: boolean
  readonly aliases?: readonly string[]
  readonly kill_chain_phases?: readonly KillChainPhase[]
  readonly operating_system_refs?: readonly string[]
  readonly architecture_execution_envs?: readonly string[]
  readonly implementation_languages?: readonly string[]
  readonly capabilities?: readonly string[]
  readonly sample_refs?: readonly string[]
  readonly first_seen?: string
  readonly last_seen?: string
  readonly [name: string]: unknown
}

export interface EntityDataMalwareAnalysis {
  readonly type: 'malware-analysis'
  readonly title: string
  readonly id?: string
  readonly description?: string
  readonly short_description?: string
  readonly description_structuring_format?: string
  readonly confidence?: 'unknown' | 'none' | 'low' | 'medium' | 'high' | ConfidenceRecord
  readonly timestamp?: string | null
  readonly extracts?: readonly Extract[]
  readonly attachments?: readonly DataAttachment[]
  readonly handling?: readonly MarkingSpecification[]
  readonly information_source?: InformationSource
  readonly external_references?: readonly ExternalReference[]
  readonly name?: string
  readonly spec_version?: string
  readonly created?: string
  readonly modified?: string
  readonly created_by_ref?: string
  readonly revoked?: boolean
  readonly labels?: readonly string[]
  readonly lang?: string
  readonly object_marking_refs?: readonly string[]
  readonly granular_markings?: readonly (Readonly<Record<string, unknown>>)[]
  readonly extensions?: Readonly<Record<string, unknown>>
  readonly product?: string
  readonly version?: string
  readonly host_vm_ref?: string
  readonly operating_system_ref?: string
  readonly installed_software_refs?: readonly string[]
  readonly configuration_version?: string
  readonly modules?: readonly string[]
  readonly analysis_engine_version?: string
  readonly analysis_definition_version?: string
  readonly submitted?: string
  readonly analysis_started?: string
  readonly analysis_ended?: string
  readonly result_name?: string
  readonly result?: string
  readonly analysis_sco_refs?: readonly string[]
  readonly sample_ref?: string
  readonly [name: string]: unknown
}

export interface EntityDataNote {
  readonly type: 'note'
  readonly title: string
  readonly id?: string
  readonly description?: string
  readonly short_description?: string
  readonly description_structuring_format?: string
  readonly confidence?: 'unknown' | 'none' | 'low' | 'medium' | 'high' | ConfidenceRecord
  readonly timestamp?: string | null
  readonly extracts?: readonly Extract[]
  readonly attachments?: readonly DataAttachment[]
  readonly handling?: readonly MarkingSpecification[]
  readonly information_source?: InformationSource
  readonly external_references?: readonly ExternalReference[]
  readonly name?: string
  readonly spec_version?: string
  readonly created?: string
  readonly modified?: string
  readonly created_by_ref?: string
  readonly revoked?: boolean
  readonly labels?: readonly string[]
  readonly lang?: string
  readonly object_marking_refs?: readonly string[]
  readonly granular_markings?: readonly (Readonly<Record<string, unknown>>)[]
  readonly extensions?: Readonly<Record<string, unknown>>
  readonly abstract?: string
  readonly content?: string
  readonly authors?: readonly string[]
  readonly object_refs?: readonly string[]
  readonly [name: string]: unknown
}

export interface EntityDataReport {
  readonly type: 'report'
  readonly title: string
  readonly id?: string
  readonly description?: string
  readonly short_description?: string
  readonly description_structuring_format?: string
  readonly confidence?: 'unknown' | 'none' | 'low' | 'medium' | 'high' | ConfidenceRecord
  readonly timestamp?: string | null
  readonly extracts?: readonly Extract[]
  readonly attachments?: readonly DataAttachment[]
  readonly handling?: readonly MarkingSpecification[]
  readonly information_source?: InformationSource
  readonly external_references?: readonly ExternalReference[]
  readonly name?: string
  readonly spec_version?: string
  readonly created?: string
  readonly modified?: string
  readonly created_by_ref?: string
  readonly revoked?: boolean
  readonly labels?: readonly string[]
  readonly lang?: string
  readonly object_marking_refs?: readonly string[]
  readonly granular_markings?: readonly (Readonly<Record<string, unknown>>)[]
  readonly extensions?: Readonly<Record<string, unknown>>
  readonly report_types?: readonly string[]
  readonly intents?: readonly (string | {
    readonly value: string
    readonly vocab?: string
    readonly vocab_name?: string
    readonly vocab_reference?: string
    readonly value_vocab?: string
    readonly [name: string]: unknown
  })[]
  readonly published?: string
  readonly object_refs?: readonly string[]
  readonly [name: string]: unknown
}

export interface EntityDataThreatActor {
  readonly type: 'threat-actor'
  readonly title: string
  readonly id?: string
  readonly description?: string
  readonly short_description?: string
  readonly description_structuring_format?: string
  readonly confidence?: 'unknown' | 'none' | 'low' | 'medium' | 'high' | ConfidenceRecord
  readonly timestamp?: string | null
  readonly extracts?: readonly Extract[]
  readonly attachments?: readonly DataAttachment[]
  readonly handling?: readonly MarkingSpecification[]
  readonly information_source?: InformationSource
  readonly external_references?: readonly ExternalReference[]
  readonly name?: string
  readonly spec_version?: string
  readonly created?: string
  readonly modified?: string
  readonly created_by_ref?: string
  readonly revoked?: boolean
  readonly labels?: readonly string[]
  readonly lang?: string
  readonly object_marking_refs?: readonly string[]
  readonly granular_markings?: readonly (Readonly<Record<string, unknown>>)[]
  readonly extensions?: Readonly<Record<string, unknown>>
  readonly threat_actor_types?: readonly string[]
  readonly names?: readonly string[]
  readonly aliases?: readonly string[]
  readonly roles?: readonly string[]
  readonly goals?: readonly string[]
  readonly sophistication?: string
  readonly resource_level?: string
  readonly primary_motivation?: string
  readonly secondary_motivations?: readonly string[]
  readonly personal_motivations?: readonly string[]
  readonly first_seen?: string
  readonly last_seen?: string
  readonly [name: string]: unknown
}

export interface EntityDataTool {
  readonly type: 'tool'
  readonly title: string
  readonly id?: string
  readonly description?: string
  readonly short_description?: string
  readonly description_structuring_format?: string
  readonly confidence?: 'unknown' | 'none' | 'low' | 'medium' | 'high' | ConfidenceRecord
  readonly timestamp?: string | null
  readonly extracts?: readonly Extract[]
  readonly attachments?: readonly DataAttachment[]
  readonly handling?: readonly MarkingSpecification[]
  readonly information_source?: InformationSource
  readonly external_references?: readonly ExternalReference[]
  readonly name?: string
  readonly spec_version?: string
  readonly created?: string
  readonly modified?: string
  readonly created_by_ref?: string
  readonly revoked?: boolean
  readonly labels?: readonly string[]
  readonly lang?: string
  readonly object_marking_refs?: readonly string[]
  readonly granular_markings?: readonly (Readonly<Record<string, unknown>>)[]
  readonly extensions?: Readonly<Record<string, unknown>>
  readonly tool_types?: readonly string[]
  readonly aliases?: readonly string[]
  readonly kill_chain_phases?: readonly KillChainPhase[]
  readonly tool_version?: string
  readonly [name: string]: unknown
}

export interface EntityDataTtp {
  readonly type: 'ttp'
  readonly title: string
  readonly id?: string
  readonly description?: string
  readonly short_description?: string
  readonly description_structuring_format?: string
  readonly confidence?: 'unknown' | 'none' | 'low' | 'medium' | 'high' | ConfidenceRecord
  readonly timestamp?: string | null
  readonly extracts?: readonly Extract[]
  readonly attachments?: readonly DataAttachment[]
  readonly handling?: readonly MarkingSpecification[]
  readonly information_source?: InformationSource
  readonly external_references?: readonly ExternalReference[]
  readonly name?: string
  readonly spec_version?: string
  readonly created?: string
  readonly modified?: string
  readonly created_by_ref?: string
  readonly revoked?: boolean
  readonly labels?: readonly string[]
  readonly lang?: string
  readonly object_marking_refs?: readonly string[]
  readonly granular_markings?: readonly (Readonly<Record<string, unknown>>)[]
  readonly extensions?: Readonly<Record<string, unknown>>
  readonly intended_effects?: readonly {
    readonly value: string
    readonly type?: string
    readonly description?: string
    readonly source?: string | InformationSource
    readonly confidence?: 'unknown' | 'none' | 'low' | 'medium' | 'high' | ConfidenceRecord
    readonly timestamp?: string
    readonly timestamp_precision?: 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second'
    readonly value_vocab?: string
    readonly [name: string]: unknown
  }[]
  readonly kill_chain_phases?: readonly {
    readonly kill_chain_id?: string
    readonly kill_chain_name?: string
    readonly phase_id?: string
    readonly phase_name?: string
    readonly name?: string
    readonly [name: string]: unknown
  }[]
  readonly behavior?: {
    readonly attack_patterns?: readonly (Readonly<Record<string, unknown>>)[]
    readonly malware_instances?: readonly (Readonly<Record<string, unknown>>)[]
    readonly exploits?: readonly (Readonly<Record<string, unknown>>)[]
    readonly [name: string]: unknown
  }
  readonly resources?: {
    readonly tools?: readonly ToolInformation[]
    readonly infrastructure?: {
      readonly types?: readonly {
        readonly value: 'Anonymization' | 'Anonymization - Proxy' | 'Anonymization - TOR Network' | 'Anonymization - VPN' | 'Communications' | 'Communications - Blogs' | 'Communications - Forums' | 'Communications - Internet Relay Chat' | 'Communications - Micro-Blogs' | 'Communications - Mobile Communications' | 'Communications - Social Networks' | 'Communications - User-Generated Content Websites' | 'Domain Registration' | 'Domain Registration - Dynamic DNS Services' | 'Domain Registration - Legitimate Domain Registration Services' | 'Domain Registration - Malicious Domain Registrars' | 'Domain Registration - Top-Level Domain Registrars' | 'Hosting' | 'Hosting - Bulletproof / Rogue Hosting' | 'Hosting - Cloud Hosting' | 'Hosting - Compromised Server' | 'Hosting - Fast Flux Botnet Hosting' | 'Hosting - Legitimate Hosting' | 'Electronic Payment Methods' | string
        readonly value_vocab?: string
        readonly [name: string]: unknown
      }[]
      readonly [name: string]: unknown
    }
    readonly personas?: readonly CiqIdentity[]
    readonly [name: string]: unknown
  }
  readonly victim_targeting?: {
    readonly identity?: CiqIdentity
    readonly targeted_systems?: readonly (string | {
      readonly value: string
      readonly vocab?: string
      readonly vocab_name?: string
      readonly vocab_reference?: string
      readonly value_vocab?: string
      readonly [name: string]: unknown
    })[]
    readonly targeted_information?: readonly (string | {
      readonly value: string
      readonly vocab?: string
      readonly vocab_name?: string
      readonly vocab_reference?: string
      readonly value_vocab?: string
      readonly [name: string]: unknown
    })[]
    readonly [name: string]: unknown
  }
  readonly [name: string]: unknown
}

export interface EntityDataVendorSighting {
  readonly type: 'vendor-sighting'
  readonly title: string
  readonly id?: string
  readonly description?: string
  readonly short_description?: string
  readonly description_structuring_format?: string
  readonly confidence?: 'unknown' | 'none' | 'low' | 'medium' | 'high' | ConfidenceRecord
  readonly timestamp?: string | null
  readonly extracts?: readonly Extract[]
  readonly attachments?: readonly DataAttachment[]
  readonly handling?: readonly MarkingSpecification[]
  readonly information_source?: InformationSource
  readonly external_references?: readonly ExternalReference[]
  readonly name?: string
  readonly spec_version?: string
  readonly created?: string
  readonly modified?: string
  readonly created_by_ref?: string
  readonly revoked?: boolean
  readonly labels?: readonly string[]
  readonly lang?: string
  readonly object_marking_refs?: readonly string[]
  readonly granular_markings?: readonly (Readonly<Record<string, unknown>>)[]
  readonly extensions?: Readonly<Record<string, unknown>>
  readonly count?: number
  readonly likely_impact?: StatementRecord
  readonly observed_data_refs?: readonly string[]
  readonly security_control?: InformationSource
  readonly sighting_of_ref?: string
  readonly summary?: boolean
  readonly where_sighted_refs?: readonly string[]
  readonly first_seen?: string
  readonly last_seen?: string
  readonly [name: string]: unknown
}

export interface EntityDefinition {
  readonly id: number
  readonly name: string
  readonly type: string
  readonly description: string | null
  readonly attributes: readonly {
    readonly id: number
    readonly custom_attribute_id: number
    readonly default_value: unknown
    readonly attribute: {
      readonly id: number
      readonly name: string
      readonly data_type: 'string' | 'text' | 'integer' | 'number' | 'boolean' | 'date' | 'datetime' | 'url' | 'list'
      readonly allowed_values: readonly unknown[] | null
      readonly description: string | null
      readonly display_name: string | null
    }
  }[]
  readonly has_instances: boolean
  readonly is_custom: boolean
  readonly created_at: string
  readonly created_by: string | null
  readonly last_updated_at: string
  readonly last_updated_by: string | null
}

export interface EntityRule {
  readonly id: number
  readonly name: string
  readonly description: string | null
  readonly is_active: boolean
  readonly actions: readonly string[]
  readonly entity_types: readonly string[]
  readonly sources: readonly string[]
  readonly tlps: readonly string[]
  readonly content_criteria: unknown | null
  readonly add_tags: readonly string[]
  readonly remove_tags: readonly string[]
  readonly add_taxonomies: readonly string[]
  readonly remove_taxonomies: readonly string[]
  readonly datasets: readonly string[]
  readonly override_tlp: string | null
  readonly title_pattern: string | null
  readonly alias_formatting_template: string | null
  readonly vendorjson2_entity_type: 'attack-pattern' | 'identity' | 'infrastructure' | 'intrusion-set' | 'malware' | 'malware-family' | 'tool' | null
  readonly master_entity: string | null
  readonly task: string | null
  readonly status: string | null
  readonly problem: string | null
  readonly warning: string | null
  readonly acted_count: number
  readonly last_acted_at: string | null
  readonly created_at: string
  readonly created_by: string | null
  readonly last_updated_at: string
  readonly last_updated_by: string | null
}

export interface EntityRuleEffect {
  readonly id: string
  readonly rule: string | null
  readonly rule_name: string
  readonly entity: string | null
  readonly title: string
  readonly run: string | null
  readonly effects: readonly {
    readonly kind: 'tag_added' | 'tag_removed' | 'taxonomy_added' | 'taxonomy_removed' | 'tlp' | 'dataset_added' | 'alias' | 'converted'
    readonly value: string | number
    readonly before?: string | null
    readonly [name: string]: unknown
  }[]
  readonly created_at: string
  readonly undone_at: string | null
  readonly kept: string | null
}

export type Errors = readonly {
  readonly status: number
  readonly title: string
  readonly detail: string
  readonly [name: string]: unknown
}[]

export interface ExclusionList {
  readonly id: number
  readonly name: string
  readonly description: string
  readonly is_active: boolean
  readonly types: readonly string[]
  readonly entries: readonly string[]
  readonly created_at: string
  readonly created_by: string | null
  readonly last_updated_at: string
  readonly last_updated_by: string | null
}

export interface ExportBlock {
  readonly id: number
  readonly content_type: string
  readonly filename: string
  readonly run_id: string
  readonly losses_count: number
  readonly download_url: string | null
  readonly signature_url: string | null
  readonly losses_url: string | null
  readonly size: number
  readonly sha256: string
  readonly items_count: number
  readonly is_signed: boolean
  readonly created_at: string
  readonly created_by: string | null
}

export interface ExternalReference {
  readonly source_name: string
  readonly description?: string
  readonly external_id?: string
  readonly hashes?: Readonly<Record<string, unknown>>
  readonly url?: string
  readonly [name: string]: unknown
}

export interface Extract {
  readonly kind: string
  readonly value: string
  readonly link_type?: string | null
  readonly classification?: 'good' | 'bad' | 'unknown' | null
  readonly confidence?: 'low' | 'medium' | 'high' | null
  readonly [name: string]: unknown
}

export interface File {
  readonly id: number
  readonly name: string
  readonly content_type: string
  readonly download_url: string
  readonly size: number
  readonly hashes: {
    readonly md5: string
    readonly sha1: string
    readonly sha256: string
  }
  readonly format: string | null
  readonly process: boolean
  readonly run: string | null
  readonly status: string
  readonly result: unknown
  readonly reason: string | null
  readonly entities: readonly string[]
  readonly workspaces: readonly string[]
  readonly source: string | null
  readonly csv_mapping: string | null
  readonly inline_csv_mapping: {
    readonly mappings: readonly {
      readonly column_name: string
      readonly vendor_fields: readonly string[]
      readonly parameters: {
        readonly column_delimiter?: string
        readonly maliciousness?: 'unknown' | 'safe' | 'low' | 'medium' | 'high'
        readonly time_format?: string
        readonly title_before_description?: boolean
        readonly title_heading?: string
      }
    }[]
    readonly columns: readonly string[]
    readonly config: {
      readonly comment_character: string
      readonly delimiter: string
      readonly first_row_is_header: boolean
      readonly ignore_comment_lines: boolean
      readonly ignore_lines_without_delimiter: boolean
      readonly parse_tags: boolean
      readonly quote_character: string
      readonly tags_delimiter: string
    }
    readonly csv_url: string | null
    readonly default_field_values: Readonly<Record<string, unknown>>
    readonly description: string | null
  } | null
  readonly password: string | null
  readonly tags: readonly string[]
  readonly tlp_color: string | null
  readonly created_at: string
  readonly created_by: string | null
  readonly last_updated_at: string
  readonly last_updated_by: string | null
}

export interface Graph {
  readonly id: number
  readonly name: string
  readonly description: string
  readonly workspace: string
  readonly content: {
    readonly nodes: readonly ({
      readonly kind: 'entity'
      readonly id: string
      readonly x: number
      readonly y: number
      readonly is_pinned: boolean
    } | {
      readonly kind: 'observable'
      readonly id: number
      readonly x: number
      readonly y: number
      readonly is_pinned: boolean
    })[]
    readonly aggregates: readonly {
      readonly of: {
        readonly kind: 'entity'
        readonly id: string
      } | {
        readonly kind: 'observable'
        readonly id: number
      }
      readonly group: string
      readonly x: number
      readonly y: number
      readonly is_pinned: boolean
    }[]
    readonly filters: {
      readonly hidden_types: readonly string[]
      readonly hidden_keys: readonly string[]
      readonly least_degree: number
      readonly from: string | null
      readonly until: string | null
    }
  }
  readonly created_at: string
  readonly created_by: string | null
  readonly last_updated_at: string
  readonly last_updated_by: string | null
}

export interface Group {
  readonly id: number
  readonly name: string
  readonly description: string
  readonly source: string
  readonly sources: readonly string[]
  readonly users: readonly string[]
  readonly created_at: string
  readonly created_by: string | null
  readonly last_updated_at: string
  readonly last_updated_by: string | null
}

export interface HashRecord {
  readonly type: 'hash'
  readonly hash_type: 'MD5' | 'MD6' | 'SHA1' | 'SHA224' | 'SHA256' | 'SHA384' | 'SHA512' | 'SSDEEP' | string
  readonly value: string
  readonly hash_type_vocab?: string
  readonly apply_condition?: 'ALL' | 'ANY' | 'NONE'
  readonly condition?: 'Equals' | 'DoesNotEqual' | 'Contains' | 'DoesNotContain' | 'StartsWith' | 'EndsWith' | 'GreaterThan' | 'GreaterThanOrEqual' | 'LessThan' | 'LessThanOrEqual' | 'InclusiveBetween' | 'ExclusiveBetween' | 'FitsPattern' | 'BitwiseAnd' | 'BitwiseOr' | 'BitwiseXor'
  readonly pattern_type?: 'Regex' | 'Binary' | 'XPath'
  readonly bit_mask?: string
  readonly delimiter?: string
  readonly has_changed?: boolean
  readonly is_case_sensitive?: boolean
  readonly regex_syntax?: string
  readonly trend?: boolean
  readonly [name: string]: unknown
}

export interface HistoryEvent {
  readonly id: string
  readonly at: string
  readonly user: string | null
  readonly cause: {
    readonly kind: string
    readonly id: string | null
  } | null
  readonly resource: string
  readonly kind: 'create' | 'update' | 'delete'
  readonly object: string
  readonly changes: Readonly<Record<string, unknown>>
}

export interface IdentityProvider {
  readonly id: number
  readonly name: string
  readonly issuer: string
  readonly client_id: string
  readonly client_secret: string | null
  readonly scopes: readonly string[]
  readonly is_enabled: boolean
  readonly username_claim: string
  readonly second_factor_values: readonly string[]
  readonly creates_users: boolean
  readonly default_groups: readonly string[]
  readonly default_roles: readonly string[]
  readonly removes_memberships: boolean
  readonly created_at: string
  readonly created_by: string | null
  readonly last_updated_at: string
  readonly last_updated_by: string | null
}

export interface IdentityProviderMapping {
  readonly id: number
  readonly identity_provider: string
  readonly claim: string
  readonly value: string
  readonly groups: readonly string[]
  readonly roles: readonly string[]
  readonly created_at: string
  readonly created_by: string | null
  readonly last_updated_at: string
  readonly last_updated_by: string | null
}

export interface IncomingFeed {
  readonly id: number
  readonly name: string
  readonly description: string
  readonly content_type: string | null
  readonly transport_type: string
  readonly transport_configuration: Readonly<Record<string, unknown>>
  readonly transport_access_details: unknown
  readonly organisation: string
  readonly half_life: number | null
  readonly source_reliability: string | null
  readonly tlp_color_override: string | null
  readonly tags: readonly string[]
  readonly update_strategy: 'APPEND' | 'REPLACE' | 'DIFF'
  readonly withdrawn: 'keep' | 'mark' | 'delete'
  readonly require_valid_signature: boolean
  readonly archive_password: string | null
  readonly csv_mapping: string | null
  readonly execution_schedule: {
    readonly cron: string | null
    readonly interval: number | null
    readonly time_zone: string
  } | null
  readonly is_active: boolean
  readonly stale_after_hours: number | null
  readonly source: string
  readonly update_task: string | null
  readonly status: string
  readonly n_blobs_pending: number
  readonly next_run_at: string | null
  readonly last_triggered_at: string | null
  readonly last_success_at: string | null
  readonly last_new_at: string | null
  readonly failures: number
  readonly failing_since: string | null
  readonly last_error: string | null
  readonly last_error_kind: string | null
  readonly created_at: string
  readonly created_by: string | null
  readonly last_updated_at: string
  readonly last_updated_by: string | null
}

export interface IncomingFeedHttpDownload {
  readonly transport_type: 'eiq.incoming-transports.http-download'
  readonly transport_configuration: {
    readonly url: string
    readonly username?: string
    readonly password?: string | null
    readonly token?: string | null
    readonly api_key?: string | null
    readonly api_key_header?: string
    readonly client_certificate?: string
    readonly client_key?: string | null
    readonly client_key_passphrase?: string | null
    readonly ca_certificate?: string
    readonly verify_ssl?: boolean
    readonly proxy?: string | null
    readonly headers?: Readonly<Record<string, unknown>>
    readonly timeout_seconds?: number
    readonly signature_url?: string | null
    readonly [name: string]: unknown
  }
  readonly [name: string]: unknown
}

export interface IncomingFeedMispFeed {
  readonly transport_type: 'eiq.incoming-transports.misp-feed'
  readonly transport_configuration: {
    readonly url: string
    readonly tags?: readonly string[]
    readonly published_only?: boolean
    readonly username?: string
    readonly password?: string | null
    readonly token?: string | null
    readonly api_key?: string | null
    readonly api_key_header?: string
    readonly client_certificate?: string
    readonly client_key?: string | null
    readonly client_key_passphrase?: string | null
    readonly ca_certificate?: string
    readonly verify_ssl?: boolean
    readonly proxy?: string | null
    readonly headers?: Readonly<Record<string, unknown>>
    readonly timeout_seconds?: number
    readonly [name: string]: unknown
  }
  readonly [name: string]: unknown
}

export interface IncomingFeedMountPointDownload {
  readonly transport_type: 'eiq.incoming-transports.mount-point-download'
  readonly transport_configuration: {
    readonly path: string
    readonly pattern?: string
    readonly is_recursive?: boolean
    readonly after?: 'keep' | 'delete'
    readonly [name: string]: unknown
  }
  readonly [name: string]: unknown
}

export interface IncomingFeedPush {
  readonly transport_type: 'eiq.incoming-transports.push'
  readonly transport_configuration?: Readonly<Record<string, unknown>>
  readonly [name: string]: unknown
}

export interface IncomingFeedRss {
  readonly transport_type: 'eiq.incoming-transports.rss'
  readonly transport_configuration: {
    readonly url: string
    readonly fetch_articles?: boolean
    readonly username?: string
    readonly password?: string | null
    readonly token?: string | null
    readonly api_key?: string | null
    readonly api_key_header?: string
    readonly client_certificate?: string
    readonly client_key?: string | null
    readonly client_key_passphrase?: string | null
    readonly ca_certificate?: string
    readonly verify_ssl?: boolean
    readonly proxy?: string | null
    readonly headers?: Readonly<Record<string, unknown>>
    readonly timeout_seconds?: number
    readonly [name: string]: unknown
  }
  readonly [name: string]: unknown
}

export interface IncomingFeedTaxii2 {
  readonly transport_type: 'eiq.incoming-transports.taxii2'
  readonly transport_configuration: {
    readonly url: string
    readonly collection_id: string
    readonly username?: string
    readonly password?: string | null
    readonly token?: string | null
    readonly api_key?: string | null
    readonly api_key_header?: string
    readonly client_certificate?: string
    readonly client_key?: string | null
    readonly client_key_passphrase?: string | null
    readonly ca_certificate?: string
    readonly verify_ssl?: boolean
    readonly proxy?: string | null
    readonly headers?: Readonly<Record<string, unknown>>
    readonly timeout_seconds?: number
    readonly added_after?: string | null
    readonly page_size?: number
    readonly [name: string]: unknown
  }
  readonly [name: string]: unknown
}

export interface InformationSource {
  readonly type?: 'information-source'
  readonly description?: string
  readonly identity?: CiqIdentity
  readonly roles?: readonly (string | {
    readonly value: string
    readonly vocab?: string
    readonly vocab_name?: string
    readonly vocab_reference?: string
    readonly value_vocab?: string
    readonly [name: string]: unknown
  })[]
  readonly contributing_sources?: readonly (Readonly<Record<string, unknown>>)[]
  readonly time?: TimeSpan
  readonly tools?: readonly ToolInformation[]
  readonly references?: readonly string[]
  readonly [name: string]: unknown
}

export interface KillChainPhase {
  readonly kill_chain_name: string
  readonly phase_name: string
  readonly [name: string]: unknown
}

export interface KnowledgePack {
  readonly id: number
  readonly name: string
  readonly version: string
  readonly description: string
  readonly datasets: readonly string[]
  readonly workspaces: readonly string[]
  readonly incoming_feeds: readonly string[]
  readonly is_installed: boolean
  readonly created_at: string
  readonly created_by: string | null
  readonly last_updated_at: string
  readonly last_updated_by: string | null
}

export interface LogSource {
  readonly id: number
  readonly name: string
  readonly channel: string
  readonly is_collected: boolean
  readonly owner: string | null
  readonly note: string
  readonly review_at: string | null
  readonly analytics: number
  readonly techniques: number
  readonly created_at: string
  readonly created_by: string | null
  readonly last_updated_at: string
  readonly last_updated_by: string | null
}

export interface Mail {
  readonly id: number
  readonly kind: 'password-reset-request' | 'password-reset' | 'invitation' | 'news'
  readonly user: string | null
  readonly state: 'WAITING' | 'SENT' | 'FAILED'
  readonly error_detail: string | null
  readonly task_run: string
  readonly created_at: string
  readonly sent_at: string | null
}

export interface MarkingSpecification {
  readonly type?: string
  readonly id?: string
  readonly idref?: string
  readonly controlled_structure?: string
  readonly marking_structures?: readonly {
    readonly type?: string
    readonly marking_structure_type?: string
    readonly color?: string
    readonly [name: string]: unknown
  }[]
  readonly information_source?: InformationSource
  readonly [name: string]: unknown
}

export interface Observable {
  readonly id: number
  readonly type: 'account-id' | 'actor-id' | 'address' | 'asn' | 'bank-account' | 'card' | 'card-owner' | 'cce' | 'certificate-hash' | 'certificate-issuer' | 'certificate-serial-number' | 'certificate-subject' | 'city' | 'cloud-storage-bucket' | 'company' | 'container-cluster-name' | 'container-image-name' | 'container-registry-account-name' | 'country' | 'country-code' | 'cpu-architecture' | 'crypto-address' | 'cve' | 'cwe' | 'device-fingerprint' | 'domain' | 'email' | 'email-subject' | 'eui-64' | 'file' | 'file-size' | 'forum-name' | 'forum-room' | 'forum-thread' | 'geo' | 'geo-lat' | 'geo-long' | 'handle' | 'hash-authentihash' | 'hash-imphash' | 'hash-md5' | 'hash-rich-pe-header' | 'hash-sha1' | 'hash-sha224' | 'hash-sha256' | 'hash-sha384' | 'hash-sha512' | 'hash-ssdeep' | 'hash-vhash' | 'host' | 'industry' | 'inetnum' | 'ipv4' | 'ipv4-cidr' | 'ipv6' | 'ipv6-cidr' | 'ja3-full' | 'ja3-hash' | 'ja3s-full' | 'ja3s-hash' | 'jarm' | 'mac-48' | 'malware' | 'malware-key' | 'mutex' | 'name' | 'nationality' | 'netname' | 'organization' | 'person' | 'port' | 'postcode' | 'process' | 'process-name' | 'product' | 'region' | 'registrar' | 'rule' | 'snort' | 'ssh-public-key' | 'street' | 'telephone' | 'uri' | 'uri-hash-sha256' | 'user-account' | 'user-agent' | 'vendor-portal-uri' | 'winregistry' | 'yara' | 'fox-it-portal-uri'
  readonly value: string
  readonly display_value: string
  readonly meta: {
    readonly maliciousness: 'unknown' | 'safe' | 'low' | 'medium' | 'high'
    readonly [name: string]: unknown
  }
  readonly entities: readonly string[]
  readonly sources: readonly string[]
  readonly created_at: string
  readonly created_by: string | null
  readonly last_updated_at: string
  readonly last_updated_by: string | null
}

export interface ObservableLink {
  readonly id: number
  readonly observable: string
  readonly relation: string
  readonly target: string
  readonly enricher: string | null
  readonly first_seen: string | null
  readonly last_seen: string | null
  readonly created_at: string
}

export interface OutgoingFeed {
  readonly id: number
  readonly name: string
  readonly description: string
  readonly content_type: string
  readonly transport_type: string
  readonly transport_configuration: Readonly<Record<string, unknown>>
  readonly transport_access_details: Readonly<Record<string, unknown>>
  readonly update_strategy: 'APPEND' | 'REPLACE' | 'DIFF'
  readonly datasets: readonly string[]
  readonly whitelist_sources: readonly string[]
  readonly whitelist_tags: readonly string[]
  readonly whitelist_taxonomy_nodes: readonly string[]
  readonly entity_types: readonly string[]
  readonly extract_types: readonly string[]
  readonly allowed_extract_states: readonly {
    readonly classification: 'good' | 'bad' | 'unknown'
    readonly confidence?: 'low' | 'medium' | 'high'
  }[]
  readonly allowed_link_types: readonly string[]
  readonly include_without_link_type: boolean
  readonly half_life_filter: number | null
  readonly tlp_color_filter: string | null
  readonly source_reliability_filter: string | null
  readonly tlp_color_override: string | null
  readonly consolidation: 'contributors' | 'unified' | 'all'
  readonly include_relationships: boolean
  readonly include_attachments: boolean
  readonly require_valid_data: boolean
  readonly do_sign_content: boolean
  readonly anonymisation: readonly {
    readonly find: string
    readonly replace: string
  }[]
  readonly keep_days: number | null
  readonly authorised_groups: readonly string[]
  readonly execution_schedule: {
    readonly cron: string | null
    readonly interval: number | null
    readonly time_zone: string
  } | null
  readonly is_active: boolean
  readonly status: string
  readonly packaging_status: 'SUCCESS' | 'FAILURE' | null
  readonly packaging_last_run_at: string | null
  readonly last_triggered_at: string | null
  readonly last_success_at: string | null
  readonly failures: number
  readonly failing_since: string | null
  readonly last_error: string | null
  readonly next_run_at: string | null
  readonly update_task: string | null
  readonly owner: string | null
  readonly epoch: number
  readonly created_at: string
  readonly created_by: string | null
  readonly last_updated_at: string
  readonly last_updated_by: string | null
}

export interface OutgoingFeedHttpDownload {
  readonly transport_type: 'eiq.outgoing-transports.http-download'
  readonly transport_configuration?: Readonly<Record<string, unknown>>
  readonly [name: string]: unknown
}

export interface OutgoingFeedHttpPush {
  readonly transport_type: 'eiq.outgoing-transports.http-push'
  readonly transport_configuration: {
    readonly url: string
    readonly method?: 'POST' | 'PUT'
    readonly username?: string
    readonly password?: string | null
    readonly token?: string | null
    readonly api_key?: string | null
    readonly api_key_header?: string
    readonly client_certificate?: string
    readonly client_key?: string | null
    readonly client_key_passphrase?: string | null
    readonly ca_certificate?: string
    readonly verify_ssl?: boolean
    readonly proxy?: string | null
    readonly headers?: Readonly<Record<string, unknown>>
    readonly timeout_seconds?: number
    readonly [name: string]: unknown
  }
  readonly [name: string]: unknown
}

export interface OutgoingFeedMountPointUpload {
  readonly transport_type: 'eiq.outgoing-transports.mount-point-upload'
  readonly transport_configuration: {
    readonly path: string
    readonly filename?: string
    readonly [name: string]: unknown
  }
  readonly [name: string]: unknown
}

export interface OutgoingFeedSendEmail {
  readonly transport_type: 'eiq.outgoing-transports.send-email'
  readonly transport_configuration: {
    readonly recipients: readonly string[]
    readonly subject?: string
    readonly most_megabytes?: number
    readonly [name: string]: unknown
  }
  readonly [name: string]: unknown
}

export interface OutgoingFeedTaxii2 {
  readonly transport_type: 'eiq.outgoing-transports.taxii2'
  readonly transport_configuration?: Readonly<Record<string, unknown>>
  readonly [name: string]: unknown
}

export interface Permission {
  readonly id: number
  readonly name: string
}

export interface Playbook {
  readonly id: number
  readonly name: string
  readonly description: string | null
  readonly is_active: boolean
  readonly trigger: {
    readonly type: 'change' | 'schedule' | 'manual'
    readonly collection: 'entities' | 'observables' | 'files'
    readonly kinds?: readonly ('create' | 'update')[]
    readonly query?: string | null
    readonly relational_query?: Readonly<Record<string, unknown>> | null
    readonly changed_fields?: readonly string[]
    readonly execution_schedule?: Readonly<Record<string, unknown>>
    readonly most?: number
    readonly repeat?: 'once' | 'each_change'
  }
  readonly steps: readonly {
    readonly id: string
    readonly kind: 'condition' | 'enrich' | 'detonate' | 'extract' | 'tag' | 'classify' | 'set' | 'rate' | 'add_to' | 'remove_from' | 'create_entity' | 'ticket' | 'comment' | 'notify' | 'mail' | 'webhook' | 'export' | 'stop'
    readonly name: string | null
    readonly only_if: readonly {
      readonly step?: string
      readonly outcome?: readonly string[]
      readonly query?: string
    }[]
    readonly on_failure: 'stop' | 'continue'
    readonly [name: string]: unknown
  }[]
  readonly template: string | null
  readonly version: number
  readonly state: 'ACTIVE' | 'INACTIVE' | 'PAUSED'
  readonly paused_reason: string | null
  readonly status: 'PENDING' | 'STARTED' | 'WAITING' | 'SUCCESS' | 'WARNING' | 'FAILURE' | 'REVOKED' | null
  readonly problem: string | null
  readonly run_counts: Readonly<Record<string, unknown>>
  readonly last_run_at: string | null
  readonly task: string | null
  readonly external_url: string
  readonly created_at: string
  readonly created_by: string | null
  readonly last_updated_at: string
  readonly last_updated_by: string | null
}

export interface PlaybookRun {
  readonly id: string
  readonly playbook: string
  readonly version: number
  readonly collection: 'entities' | 'observables' | 'files'
  readonly entity: string | null
  readonly observable: string | null
  readonly file: string | null
  readonly object_title: string | null
  readonly cause: 'change' | 'schedule' | 'manual'
  readonly state: 'PENDING' | 'STARTED' | 'WAITING' | 'SUCCESS' | 'WARNING' | 'FAILURE' | 'REVOKED'
  readonly reason: string | null
  readonly steps: readonly {
    readonly id: string
    readonly kind: string
    readonly name: string | null
    readonly state: 'PENDING' | 'STARTED' | 'WAITING' | 'SUCCESS' | 'WARNING' | 'FAILURE' | 'SKIPPED'
    readonly outcome: string | null
    readonly input: Readonly<Record<string, unknown>>
    readonly output: Readonly<Record<string, unknown>> | null
    readonly warnings: readonly string[]
    readonly error: string | null
    readonly attempts: number
    readonly started_at: string | null
    readonly ended_at: string | null
  }[]
  readonly created_at: string
  readonly created_by: string | null
  readonly started_at: string | null
  readonly ended_at: string | null
}

export interface Relationship {
  readonly id: string
  readonly data: {
    readonly source: string | {
      readonly id: string
      readonly [name: string]: unknown
    }
    readonly target: string | {
      readonly id: string
      readonly [name: string]: unknown
    }
    readonly key?: string
    readonly subtype?: 'stix_update_of' | null
    readonly description?: string
    readonly [name: string]: unknown
  }
  readonly meta: {
    readonly estimated_threat_start_time?: unknown | null
    readonly estimated_threat_end_time?: unknown | null
    readonly source_reliability?: 'A' | 'B' | 'C' | 'D' | 'E' | 'F' | null
    readonly tlp_color?: 'NONE' | 'WHITE' | 'GREEN' | 'AMBER' | 'RED' | 'CLEAR' | 'AMBER_STRICT' | null
    readonly [name: string]: unknown
  }
  readonly sources: readonly string[]
  readonly strict_stix_1: boolean
  readonly strict_stix_2: boolean
  readonly created_at: string
  readonly created_by: string | null
  readonly last_updated_at: string
  readonly last_updated_by: string | null
}

export interface RetentionPolicy {
  readonly id: number
  readonly name: string
  readonly description: string
  readonly what: 'audit-trail' | 'history-events' | 'export-blocks' | 'content-blocks' | 'incoming-blobs' | 'enrichment-answers' | 'detonation-samples' | 'entity-rule-effects' | 'task-runs' | 'inactive-entities'
  readonly keep_days: number
  readonly is_active: boolean
  readonly created_at: string
  readonly created_by: string | null
  readonly last_updated_at: string
  readonly last_updated_by: string | null
}

export interface Role {
  readonly id: number
  readonly name: string
  readonly description: string
  readonly is_system: boolean
  readonly permissions: readonly string[]
  readonly users: readonly string[]
  readonly created_at: string
  readonly created_by: string | null
  readonly last_updated_at: string
  readonly last_updated_by: string | null
}

export interface SavedQuery {
  readonly id: number
  readonly name: string
  readonly description: string
  readonly query: string
  readonly collection: 'entities' | 'observables'
  readonly settings: Readonly<Record<string, unknown>>
  readonly is_shared: boolean
  readonly created_at: string
  readonly created_by: string | null
  readonly last_updated_at: string
  readonly last_updated_by: string | null
}

export interface Source {
  readonly id: string
  readonly name: string
  readonly type: 'group' | 'incoming_feed' | 'enricher' | 'detonator'
  readonly source_type: 'group' | 'incoming_feed' | 'enricher' | 'detonator'
  readonly created_at: string
  readonly last_updated_at: string
}

export interface StatementRecord {
  readonly type?: string
  readonly description?: string
  readonly source?: string | InformationSource
  readonly confidence?: 'unknown' | 'none' | 'low' | 'medium' | 'high' | ConfidenceRecord
  readonly timestamp?: string
  readonly timestamp_precision?: 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second'
  readonly value_vocab?: string
  readonly value?: 'None' | 'Low' | 'Medium' | 'High' | 'Unknown' | string
  readonly [name: string]: unknown
}

export interface Task {
  readonly id: number
  readonly name: string
  readonly type: 'housekeeping' | 'feed-health' | 'retention' | 'mail' | 'delete-entities-by-query' | 'update-entities-by-query' | 'fill-dataset-by-query' | 'entity-rule' | 'undo-entity-rule' | 'export-entities' | 'discovery-rule' | 'remove-unused-blobs' | 'delete-uploads' | 'process-file' | 'incoming-feed' | 'test-incoming-feed' | 'purge-incoming-feed' | 'outgoing-feed' | 'enrich-observables' | 'enricher' | 'enrichment-rule' | 'playbook' | 'consolidation' | 'dissolve-unified-entities' | 'consolidate-entities-by-query' | 'deconsolidate-entities-by-query' | 'enricher-table' | 'demo-data'
  readonly description: string
  readonly parameters: Readonly<Record<string, unknown>>
  readonly is_active: boolean
  readonly execution_schedule: {
    readonly cron: string | null
    readonly interval: number | null
    readonly time_zone: string
  } | null
  readonly next_run_at: string | null
  readonly last_run: string | null
  readonly is_owned: boolean
  readonly is_system: boolean
  readonly created_at: string
  readonly created_by: string | null
  readonly last_updated_at: string
  readonly last_updated_by: string | null
}

export interface TaskRun {
  readonly id: string
  readonly task: string
  readonly parameters: Readonly<Record<string, unknown>>
  readonly state: 'PENDING' | 'SENT' | 'STARTED' | 'RETRY' | 'FAILURE' | 'REVOKED' | 'CAP_REACHED' | 'WARNING' | 'SUCCESS'
  readonly attempt: number
  readonly progress: number
  readonly result: unknown | null
  readonly error_detail: string | null
  readonly log: readonly string[]
  readonly has_hidden_details: boolean
  readonly started_at: string | null
  readonly ended_at: string | null
  readonly created_at: string
  readonly created_by: string | null
  readonly last_updated_at: string
  readonly last_updated_by: string | null
}

export interface Taxonomy {
  readonly id: number
  readonly name: string
  readonly description: string
  readonly parent: string | null
  readonly children: readonly string[]
  readonly path: readonly string[]
  readonly is_system: boolean
  readonly created_at: string
  readonly created_by: string | null
  readonly last_updated_at: string
  readonly last_updated_by: string | null
}

export interface Ticket {
  readonly id: number
  readonly name: string
  readonly description: string
  readonly status: 'OPEN' | 'IN_PROGRESS' | 'PENDING' | 'CLOSED' | ''
  readonly priority: 'LOW' | 'MEDIUM' | 'HIGH' | 'CRITICAL' | null
  readonly due_at: string | null
  readonly assignee: string | null
  readonly stakeholders: readonly string[]
  readonly workspaces: readonly string[]
  readonly entities: readonly string[]
  readonly created_at: string
  readonly created_by: string | null
  readonly last_updated_at: string
  readonly last_updated_by: string | null
}

export interface TimeSpan {
  readonly type?: 'time'
  readonly start_time?: string | null
  readonly start_time_precision?: 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second'
  readonly end_time?: string | null
  readonly end_time_precision?: 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second'
  readonly produced_time?: string | null
  readonly produced_time_precision?: 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second'
  readonly received_time?: string | null
  readonly received_time_precision?: 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second'
  readonly [name: string]: unknown
}

export interface ToolInformation {
  readonly type?: 'tool-information'
  readonly id?: string
  readonly idref?: string
  readonly name?: string
  readonly description?: string
  readonly vendor?: string
  readonly version?: string
  readonly service_pack?: string
  readonly hashes?: readonly HashRecord[]
  readonly types?: readonly {
    readonly value: 'Malware' | 'Penetration Testing' | 'Port Scanner' | 'Traffic Scanner' | 'Vulnerability Scanner' | 'Application Scanner' | 'Password Cracking' | string
    readonly value_vocab?: string
    readonly [name: string]: unknown
  }[]
  readonly [name: string]: unknown
}

export interface User {
  readonly id: number
  readonly username: string
  readonly email: string
  readonly firstname: string
  readonly lastname: string
  readonly locale: string
  readonly timezone: string
  readonly is_active: boolean
  readonly is_admin: boolean
  readonly is_locked: boolean
  readonly must_change_password: boolean
  readonly groups: readonly string[]
  readonly roles: readonly string[]
  readonly permissions: readonly string[]
  readonly two_factor_enabled: boolean
  readonly last_login_at: string | null
  readonly created_at: string
  readonly created_by: string | null
  readonly last_updated_at: string
  readonly last_updated_by: string | null
}

export interface UserIdentity {
  readonly id: number
  readonly user: string
  readonly issuer: string
  readonly subject: string
  readonly created_at: string
  readonly created_by: string | null
}

export interface Vulnerability {
  readonly type?: 'vulnerability'
  readonly title?: string
  readonly description?: string
  readonly short_description?: string
  readonly cve_id?: string
  readonly osvdb_id?: string
  readonly source?: string
  readonly cvss_score?: CvssScore
  readonly discovered_datetime?: string | null
  readonly published_datetime?: string | null
  readonly affected_software?: readonly unknown[]
  readonly references?: readonly string[]
  readonly is_known?: boolean
  readonly is_publicly_acknowledged?: boolean
  readonly [name: string]: unknown
}

export interface Weakness {
  readonly type?: 'weakness'
  readonly cwe_id?: string
  readonly description?: string
  readonly [name: string]: unknown
}

export interface Webhook {
  readonly id: number
  readonly name: string
  readonly url: string
  readonly is_active: boolean
  readonly collections: readonly ('entities' | 'attachments' | 'observables' | 'relationships' | 'taxonomies' | 'datasets' | 'tickets' | 'workspaces')[]
  readonly kinds: readonly ('create' | 'update' | 'delete')[]
  readonly query: string | null
  readonly include_object: boolean
  readonly secret: string | null
  readonly new_secret: string | null
  readonly last_delivery_at: string | null
  readonly last_status: number | null
  readonly failing_since: string | null
  readonly suspended_at: string | null
  readonly suspended_reason: string | null
  readonly created_at: string
  readonly created_by: string | null
  readonly last_updated_at: string
  readonly last_updated_by: string | null
}

export interface Widget {
  readonly id: number
  readonly name: string
  readonly type: 'number' | 'bar' | 'line' | 'pie' | 'table' | 'list' | 'enrichers' | 'attack-matrix'
  readonly query: string | null
  readonly aggregation: {
    readonly group_by: string
    readonly split_by: string | null
    readonly interval?: 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year'
    readonly time_zone: string
    readonly metric: 'count'
    readonly limit: number
    readonly order?: 'count' | 'value'
    readonly include_other: boolean
    readonly fill: boolean
    readonly consolidation?: 'all' | 'unified' | 'contributors'
  } | null
  readonly settings: {
    readonly sort?: string
    readonly limit?: number
    readonly consolidation?: 'all' | 'unified' | 'contributors'
    readonly attack?: {
      readonly matrix?: 'enterprise-attack' | 'mobile-attack' | 'ics-attack' | 'DISARM'
      readonly by?: 'count' | 'recency'
      readonly half_life?: number
      readonly aggregate?: 'none' | 'sum' | 'max'
      readonly relations?: boolean
      readonly dataset?: readonly number[]
      readonly entities?: readonly string[]
    }
    readonly attributes?: readonly string[]
    readonly [name: string]: unknown
  }
  readonly created_at: string
  readonly created_by: string | null
  readonly last_updated_at: string
  readonly last_updated_by: string | null
}

export interface Workspace {
  readonly id: number
  readonly name: string
  readonly description: string
  readonly type: 'generic' | 'case' | 'threat-model' | 'analysis'
  readonly status: 'open' | 'closed'
  readonly is_public: boolean
  readonly collaborators: readonly string[]
  readonly groups: readonly string[]
  readonly tickets: readonly string[]
  readonly datasets: readonly string[]
  readonly entities: readonly string[]
  readonly discovery_tasks: readonly string[]
  readonly files: readonly string[]
  readonly created_at: string
  readonly created_by: string | null
  readonly last_updated_at: string
  readonly last_updated_by: string | null
}
