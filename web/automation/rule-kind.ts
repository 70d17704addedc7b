/** What the pages of all kinds of rules share. */
export interface Rule {
  readonly id: number
  readonly name: string
  readonly description?: string | null
  readonly is_active: boolean
  /** Why the rule does not act at present; absent from kinds that always act. */
  readonly problem?: string | null
  /** Why the rule was paused; absent from kinds that are never paused. */
  readonly paused_reason?: string | null
  /** What did not work when the rule last acted. */
  readonly warning?: string | null
  /** The state of its latest run. */
  readonly status: string | null
  readonly task: string | null
  /** Whether runs include existing data; absent if they always do. */
  readonly is_retroactive?: boolean
}

/** A kind of rule: where its API and its pages are, and how it is named. */
export interface RuleKind {
  /** The path of the API. */
  readonly path: string
  /** The path of the pages. */
  readonly page: string
  /** The name of the permissions: `read …` and `modify …`. */
  readonly permission: string
  readonly title: string
  readonly one: string
  /** What it is called on buttons and in messages: “rule” unless given. */
  readonly noun?: string
  readonly nouns?: string
  readonly description: string
  /** Shown if there are none yet. */
  readonly empty: string
  /** What deleting a rule leaves behind. */
  readonly afterDelete: string
  /** The collections that change when a rule acts. */
  readonly touched: readonly string[]
  /** Whether deleting shows a preview first, on the page of the rule, so that several cannot be deleted at once. */
  readonly isDeletedOnPage?: boolean
  /** The heading above the warning of a rule: that something went wrong unless given. */
  readonly warningTitle?: string
  /** The label of the button that starts a run: “Run now” unless given. */
  readonly runLabel?: string
}

/** What one object of a kind, or several, are called in messages. */
export const nounOf = ({ noun = 'rule', nouns = 'rules' }: Pick<RuleKind, 'noun' | 'nouns'>, count = 1): string =>
  count === 1 ? noun : nouns

export const ENTITY_RULES: RuleKind = {
  path: 'entities/rules',
  page: '/entity-rules',
  permission: 'rules',
  title: 'Entity rules',
  one: 'entity rule',
  description: 'Tag, classify and mark entities before anyone can see them.',
  empty:
    'An entity rule changes entities while they are stored, whether they come from a feed, a file, the API or a person: it adds tags, sets the TLP colour or puts them into datasets.',
  afterDelete:
    'What the rule has changed stays as it is and can no longer be undone. Undo its changes first to take them back.',
  touched: ['entities', 'entity-rule-effects', 'datasets', 'tasks'],
}

export const ENRICHMENT_RULES: RuleKind = {
  path: 'enrichment-rules',
  page: '/enrichment-rules',
  permission: 'enrichment-rules',
  title: 'Enrichment rules',
  one: 'enrichment rule',
  description: 'Look up the observables of new data automatically.',
  empty:
    'An enrichment rule asks enrichers about the observables of new entities, for example of all indicators from one feed. It stays within the limits of each enricher.',
  afterDelete: 'What enrichers found for it is not deleted.',
  touched: ['tasks'],
}

export const DISCOVERY_RULES: RuleKind = {
  path: 'discovery-rules',
  page: '/discovery-rules',
  permission: 'discovery-rules',
  title: 'Discovery rules',
  one: 'discovery rule',
  description: 'Find new intelligence of interest and notify you within seconds.',
  empty:
    'A discovery rule watches all new and changed entities for keywords or a query, and notifies you and the members of its workspaces when it finds one.',
  afterDelete: 'The entities that it has found are not deleted.',
  touched: ['tasks', 'workspaces'],
}
