import { randomUUID } from 'node:crypto'
import { type Json, sender } from './two-servers.ts'

/** Another server from which the sender receives part of its content. */
export interface Upstream {
  readonly feed: number
  readonly objects: readonly [Json, ...Json[]]
}

const TIME = '2024-01-01T00:00:00.000Z'

const indicator = (name: string, domain: string): Json => ({
  type: 'indicator',
  spec_version: '2.1',
  id: `indicator--${randomUUID()}`,
  created: TIME,
  modified: TIME,
  name,
  pattern: `[domain-name:value = '${domain}']`,
  pattern_type: 'stix',
  valid_from: TIME,
})

/** Creates a feed at the sender that imports indicators and adds them to a dataset. */
export async function openUpstream(name: string, dataset: number): Promise<Upstream> {
  const feed = await sender.ask('POST', 'incoming-feeds', {
    name: `From upstream: ${name}`,
    transport_type: 'push',
    update_strategy: 'REPLACE',
  })
  const numbers = ['one', 'two', 'three'] as const
  const [first, ...others] = numbers.map((each) => indicator(`Upstream ${each}`, `${each}.upstream.example`))
  const upstream: Upstream = { feed: feed.id, objects: [first as Json, ...others] }
  await receive(upstream, upstream.objects)
  const made = await sender.ask('GET', `entities?filter[sources]=${feed.source.split('/').at(-1)}`)
  for (const { id } of made) await sender.ask('PUT', `entities/${id}/datasets/${dataset}`)
  return upstream
}

/** Makes the sender receive these objects as the complete content of the upstream server. */
export async function receive({ feed }: Upstream, objects: readonly Json[]): Promise<void> {
  const bundle = { type: 'bundle', id: `bundle--${randomUUID()}`, objects }
  const { body } = await sender.call('POST', `incoming-feeds/${feed}/push?name=upstream.json`, bundle)
  await sender.ended(body.data.task_run)
}
