import type { Playbook } from '../../api/resources.ts'
import type { Schema } from '../../api/schema.ts'
import type { Document } from '../../forms/paths.ts'
import type { RuleKind } from '../rule-kind.ts'

export const PLAYBOOKS: RuleKind = {
  path: 'playbooks',
  page: '/playbooks',
  permission: 'playbooks',
  title: 'Playbooks',
  one: 'playbook',
  noun: 'playbook',
  nouns: 'playbooks',
  description: 'Run steps on objects when they change, on a schedule, or by hand.',
  empty:
    'A playbook does what you would do by hand: it looks up observables, tags and classifies, opens tickets, fills datasets and notifies people. Start from a ready-made playbook and adapt it, or build your own.',
  afterDelete: 'Its runs are deleted with it. What they have changed stays as it is.',
  runLabel: 'Run schedule now',
  touched: ['playbooks', 'tasks'],
}

/** The kinds of objects that a playbook runs on. */
export type ObjectCollection = Playbook['trigger']['collection']

/** What starts a playbook. */
export type Trigger = Playbook['trigger']

/** A condition of a step. */
export interface Condition {
  readonly step?: string
  readonly outcome?: readonly string[]
  readonly query?: string
}

/** A step of a playbook; its further members are the parameters of its kind. */
export interface Step {
  readonly id: string
  readonly kind: string
  readonly name: string | null
  readonly only_if: readonly Condition[]
  readonly on_failure: 'stop' | 'continue'
  readonly [parameter: string]: unknown
}

/** Something that a step can do. */
export interface StepKind {
  readonly kind: string
  readonly title: string
  readonly description: string
  /** The outcomes and their meaning. */
  readonly outcomes: Readonly<Record<string, string>>
  /** The outcomes after which the run ends. */
  readonly ends: readonly string[]
  readonly collections: readonly ObjectCollection[]
  /** A JSON schema. */
  readonly parameters: Schema
  /** The parameters that are texts with placeholders. */
  readonly templates: readonly string[]
}

/** What has to be chosen before a ready-made playbook can be saved. */
export interface Choice {
  /** Where it belongs, such as `steps[0].users`. */
  readonly path: string
  readonly title: string
  /** The collection to choose from; null for a text. */
  readonly collection: string | null
}

/** A ready-made playbook. */
export interface Template {
  readonly name: string
  readonly title: string
  readonly explanation: string
  readonly choices: readonly Choice[]
  readonly playbook: Document
}

/** What is called what in lists and buttons. */
export const OBJECTS: Readonly<Record<ObjectCollection, { readonly one: string; readonly many: string }>> = {
  entities: { one: 'entity', many: 'entities' },
  observables: { one: 'observable', many: 'observables' },
  files: { one: 'file', many: 'files' },
}

/** The name of an outcome: `not_found` becomes “not found”. */
export const outcomeName = (outcome: string): string => outcome.replaceAll('_', ' ')
