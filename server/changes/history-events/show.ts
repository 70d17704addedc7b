import type { AnyRow, Context, Item } from '../../engine/context.ts'
import type { Resource } from '../../engine/definition.ts'
import type { Field } from '../../engine/field-class.ts'
import { type Linked, presentLinks } from '../../engine/present.ts'
import { type Id, toUrl } from '../../engine/reference.ts'
import { entityDetails } from './entity-details.ts'
import { objectUrl, seesAll } from './objects.ts'
import { findSeen, keyOf, type Seen } from './seen.ts'

type Collection = Resource['collection']

/** What changed, as in the log: by field, the values before and after, or the links removed and added. */
export type Details = Readonly<Record<string, readonly [before: unknown, after: unknown]>>

export interface Event extends AnyRow {
  readonly at: string
  readonly resource: string
  readonly kind: string
  readonly object: string
  /** Null if the log does not contain them. */
  readonly changes: Details | null
}

/** Completes events for the response, in at most three statements for any number of events. */
export async function showEvents(ctx: Context, rows: readonly AnyRow[]): Promise<AnyRow[]> {
  const found = await entityDetails(ctx, rows as Event[])
  const events = (rows as Event[]).map((event) => ({ ...event, changes: event.changes ?? found.get(event.id) ?? {} }))
  const seen = seesAll(ctx)
    ? await findSeen(
        ctx,
        events.flatMap((event) => mentioned(ctx, event)),
      )
    : new Set<string>()
  return events.map((event) => ({
    ...event,
    object: objectUrl(ctx, event.resource, event.object),
    changes: showChanges(ctx, event, seen),
  }))
}

const resourceOf = (ctx: Context, { resource }: Event): Resource | undefined =>
  ctx.resources.get(resource as Collection)

/** The objects that the values of an event refer to. */
function mentioned(ctx: Context, event: Event): { to: Collection; id: Id }[] {
  const fields = resourceOf(ctx, event)?.fields
  return Object.entries(event.changes ?? {}).flatMap(([name, values]) => {
    const storage = fields?.[name]?.props.storage
    if (storage?.kind === 'ref') return values.flatMap((id) => (id === null ? [] : [{ to: storage.to, id: id as Id }]))
    if (storage?.kind !== 'refs') return []
    return values.flatMap((links) => ((links ?? []) as Linked[]).map((each) => ({ to: storage.to, id: idOf(each) })))
  })
}

const idOf = (each: Linked): Id => (Array.isArray(each) ? each[0] : each) as Id

function showChanges(ctx: Context, event: Event, seen: Seen): Item {
  const resource = resourceOf(ctx, event)
  const shown = Object.entries(event.changes ?? {}).map(([name, values]) => {
    if (!seesAll(ctx)) return [name, null]
    return [name, resource ? showValues(ctx, resource, name, values, seen) : { before: values[0], after: values[1] }]
  })
  return Object.fromEntries(shown)
}

function showValues(
  ctx: Context,
  resource: Resource,
  name: string,
  [before, after]: Details[string],
  seen: Seen,
): Item {
  const props = resource.fields[name]?.props
  if (props?.storage.kind !== 'refs') {
    return { before: showValue(ctx, props, before, seen), after: showValue(ctx, props, after, seen) }
  }
  const { to } = props.storage
  const urls = (links: unknown) =>
    presentLinks(
      ctx,
      resource,
      name,
      ((links ?? []) as Linked[]).filter((each) => seen.has(keyOf(to, idOf(each)))),
    )
  return { removed: urls(before), added: urls(after) }
}

function showValue(ctx: Context, props: Field['props'] | undefined, value: unknown, seen: Seen): unknown {
  if (value === null || value === undefined || !props) return value ?? null
  const { storage } = props
  if (storage.kind === 'ref') {
    return seen.has(keyOf(storage.to, value as Id)) ? toUrl(ctx.baseUrl, storage.to, value as Id) : null
  }
  const isTime = storage.kind === 'column' && storage.type === 'timestamptz'
  return isTime ? wireTime(String(value)) : value
}

/** Times in JSON have as many digits as they need; in responses they have six. */
const wireTime = (text: string): string =>
  text.replace(/(\.\d+)?([+-]\d\d:\d\d)$/, (_, fraction = '.', offset) => `${fraction.padEnd(7, '0')}${offset}`)
