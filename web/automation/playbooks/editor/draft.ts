import type { Playbook } from '../../../api/resources.ts'
import { type Document, isDocument, withValue } from '../../../forms/paths.ts'
import type { Choice, ObjectCollection, Step, Template, Trigger } from '../playbook.ts'
import { pathOf, readSteps } from './steps.ts'

/** A playbook while it is edited. */
export interface PlaybookDraft {
  readonly name: string
  readonly description: string
  readonly is_active: boolean
  readonly template: string | null
  readonly trigger: Trigger
  readonly steps: readonly Step[]
}

const DAILY = { cron: null, interval: 86_400, time_zone: 'UTC' }

/** A trigger with everything that its type has; what it shares with another one stays. */
export function triggerOf(type: Trigger['type'], before: Partial<Trigger> = {}): Trigger {
  const { collection = 'entities', query = null, relational_query = null, repeat = 'once' } = before
  if (type === 'manual') return { type, collection }
  const shared = { collection, query, relational_query, repeat }
  if (type === 'schedule')
    return { type, ...shared, execution_schedule: before.execution_schedule ?? DAILY, most: before.most ?? 100 }
  return { type, ...shared, kinds: before.kinds ?? ['create', 'update'], changed_fields: before.changed_fields ?? [] }
}

/** The trigger for another kind of objects: relations lead to entities only, and the changed fields differ. */
export const withCollection = (trigger: Trigger, collection: ObjectCollection): Trigger =>
  triggerOf(trigger.type, { ...trigger, collection, relational_query: null, changed_fields: [], query: null })

/** A draft of a stored playbook. */
export const draftOf = (playbook: Playbook): PlaybookDraft => ({
  name: playbook.name,
  description: playbook.description ?? '',
  is_active: playbook.is_active,
  template: playbook.template,
  trigger: triggerOf(playbook.trigger.type, playbook.trigger),
  steps: readSteps(playbook.steps),
})

/** A draft of a new playbook, or of the contents of a file; undefined if these are no playbook. */
export function readDraft(value: unknown): PlaybookDraft | undefined {
  if (!isDocument(value) || !isDocument(value.trigger) || !Array.isArray(value.steps)) return undefined
  const { type } = value.trigger
  const known = type === 'schedule' || type === 'manual' ? type : 'change'
  return {
    name: typeof value.name === 'string' ? value.name : '',
    description: typeof value.description === 'string' ? value.description : '',
    is_active: value.is_active === true,
    template: typeof value.template === 'string' ? value.template : null,
    trigger: triggerOf(known, value.trigger as Partial<Trigger>),
    steps: readSteps(value.steps),
  }
}

export const NEW_DRAFT: PlaybookDraft = {
  name: '',
  description: '',
  is_active: false,
  template: null,
  trigger: triggerOf('change'),
  steps: [],
}

/** A draft of a ready-made playbook with what was chosen, by the paths of the choices. */
export function draftOfTemplate({ playbook }: Template, chosen: ReadonlyMap<Choice['path'], unknown>): PlaybookDraft {
  const filled = [...chosen].reduce<unknown>((whole, [path, value]) => withValue(whole, pathOf(path), value), playbook)
  return readDraft(filled) ?? NEW_DRAFT
}

/** The body to save. */
export const bodyOf = ({ name, description, trigger, ...rest }: PlaybookDraft): Document => ({
  ...rest,
  name: name.trim(),
  description: description.trim() || null,
  trigger: sentTrigger(trigger),
})

/** An empty query is none. */
export const sentTrigger = (trigger: Trigger): Trigger =>
  trigger.type === 'manual' ? trigger : { ...trigger, query: trigger.query?.trim() || null }
