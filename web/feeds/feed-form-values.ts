import { idOf } from '../api/lists.ts'
import type { IncomingFeed, OutgoingFeed } from '../api/resources.ts'
import { type ScheduleValues, scheduleOf, scheduleValues } from '../forms/schedule.ts'
import type { FeedKind } from './feed-queries.ts'
import { configurationOf, type TransportForm, textOf } from './transport-form.ts'

/** The values of the feed form. */
export interface FeedFormValues extends ScheduleValues {
  readonly name: string
  readonly description: string
  readonly transport: string
  /** The transport configuration as texts, by field name. */
  readonly texts: Readonly<Record<string, string>>
  readonly isActive: boolean
  readonly contentType: string
  readonly tags: readonly string[]
  readonly tlp: string
  readonly reliability: string
  readonly needsSignature: boolean
  readonly strategy: string
  /** What happens to entities that the source of an incoming feed has withdrawn. */
  readonly withdrawn: string
  readonly datasets: readonly string[]
  readonly groups: readonly string[]
  readonly entityTypes: readonly string[]
  /** What represents a unified entity. */
  readonly consolidation: string
  readonly hasRelationships: boolean
}

/** The props of the sections of the form. */
export interface FeedFieldsProps {
  readonly values: FeedFormValues
  readonly set: (change: Partial<FeedFormValues>) => void
  readonly faults: Readonly<Record<string, string>>
}

type Feed = IncomingFeed | OutgoingFeed

/** The form values of a new feed. */
export const newFeed = (kind: FeedKind, [first]: readonly TransportForm[]): FeedFormValues => ({
  name: '',
  description: '',
  transport: first?.type ?? '',
  texts: {},
  schedule: '3600',
  timeZone: 'UTC',
  cron: '',
  isActive: true,
  contentType: kind === 'incoming' ? '' : 'urn:oasis:stix:json:2.1',
  tags: [],
  tlp: '',
  reliability: '',
  needsSignature: false,
  strategy: kind === 'incoming' ? 'APPEND' : 'REPLACE',
  withdrawn: 'mark',
  datasets: [],
  groups: [],
  entityTypes: [],
  consolidation: 'contributors',
  hasRelationships: true,
})

/** The form values of a stored feed. */
export function formOf(kind: FeedKind, feed: Feed, transports: readonly TransportForm[]): FeedFormValues {
  const fields = fieldsOf(transports, feed.transport_type)
  return {
    ...newFeed(kind, transports),
    name: feed.name,
    description: feed.description,
    transport: feed.transport_type,
    texts: Object.fromEntries(
      fields.map((field) => [field.name, textOf(field, feed.transport_configuration[field.name])]),
    ),
    ...scheduleValues(feed.execution_schedule),
    isActive: feed.is_active,
    contentType: feed.content_type ?? '',
    tlp: feed.tlp_color_override ?? '',
    strategy: feed.update_strategy,
    ...('tags' in feed
      ? {
          tags: feed.tags,
          reliability: feed.source_reliability ?? '',
          needsSignature: feed.require_valid_signature,
          withdrawn: feed.withdrawn,
        }
      : {
          datasets: feed.datasets.map(idOf),
          groups: feed.authorised_groups.map(idOf),
          entityTypes: feed.entity_types,
          consolidation: feed.consolidation,
          hasRelationships: feed.include_relationships,
        }),
  }
}

/** The request body for form values. Settings without a field in the form are left unchanged. */
export function bodyOf(
  kind: FeedKind,
  form: FeedFormValues,
  transports: readonly TransportForm[],
): Record<string, unknown> {
  const shared = {
    name: form.name.trim(),
    description: form.description,
    transport_type: form.transport,
    transport_configuration: configurationOf(fieldsOf(transports, form.transport), form.texts),
    execution_schedule: scheduleOf(form),
    is_active: form.isActive,
    content_type: form.contentType || null,
    tlp_color_override: form.tlp || null,
    update_strategy: form.strategy,
  }
  if (kind === 'incoming')
    return {
      ...shared,
      tags: form.tags,
      source_reliability: form.reliability || null,
      require_valid_signature: form.needsSignature,
      withdrawn: form.withdrawn,
    }
  return {
    ...shared,
    datasets: form.datasets.map(Number),
    authorised_groups: form.groups.map(Number),
    entity_types: form.entityTypes,
    consolidation: form.consolidation,
    include_relationships: form.hasRelationships,
  }
}

const fieldsOf = (transports: readonly TransportForm[], type: string) =>
  transports.find((each) => each.type === type)?.fields ?? []

/** The names of all fields that can show a validation error, the most specific first. */
export const faultNames = (
  { transport }: Pick<FeedFormValues, 'transport'>,
  transports: readonly TransportForm[],
): string[] => [
  ...fieldsOf(transports, transport).map(({ name }) => `transport_configuration.${name}`),
  'name',
  'description',
  'execution_schedule',
  'content_type',
  'tags',
  'tlp_color_override',
  'source_reliability',
  'update_strategy',
  'withdrawn',
  'datasets',
  'authorised_groups',
  'entity_types',
  'consolidation',
]
