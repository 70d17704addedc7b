import type { Collection } from '../../server/collections.ts'
import type { Route } from '../../server/engine/route.ts'
import { resourceMap } from '../../server/registry.ts'
import type { Chance } from './chance.ts'
import { namesIn } from './draw.ts'
import { LOAD } from './frameworks.ts'
import { collectionOf, runOf } from './holding-ids.ts'
import { type Instance, id } from './instance.ts'
import { ATTACKS, VIEWERS, type World } from './world.ts'

/** An id that no object has. */
const UNKNOWN = '00000000-0000-7000-8000-999999999999'

type Fill = (instance: Instance, pattern: string) => string

/** Random objects of a world, seen or not, as the parameters of a path. */
export function parametersOf(chance: Chance, world: World, { path }: Route, subject: Collection | undefined): Fill {
  const parts = [...path.matchAll(/:(\w+)/g)].map(([placeholder, name = '']) => {
    const choices = choicesFor(world, path, name, subject)
    const picked = choices.length === 0 ? undefined : chance.pick(choices)
    return [placeholder, picked] as const
  })
  return (instance, pattern) =>
    parts.reduce(
      (filled, [placeholder, picked]) =>
        filled.replace(placeholder, encodeURIComponent(picked === undefined ? UNKNOWN : picked(instance))),
      pattern,
    )
}

type Choice = (instance: Instance) => string

const byName = (names: readonly string[]): Choice[] => names.map((name) => (instance) => id(instance, name))

function choicesFor(world: World, path: string, parameter: string, subject: Collection | undefined): Choice[] {
  const { incomingFeeds, outgoingFeeds, webhooks, runs } = world.holdings
  const namesOf = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name)
  const blocks = namesOf(outgoingFeeds.flatMap((feed) => feed.blocks))
  switch (parameter) {
    case 'id':
      if (path.startsWith('/root/collections'))
        return byName(namesOf([...outgoingFeeds, ...incomingFeeds]).map(collectionOf))
      if (path.startsWith('/attacks/frameworks/loads')) return byName([LOAD])
      if (path.startsWith('/attacks/:id')) return ATTACKS.map((attack) => () => attack)
      if (subject === 'users') return byName(VIEWERS)
      return subject ? byName(namesIn(world, subject)) : [() => '1']
    case 'relation_id':
      return relatedTo(world, path, subject)
    case 'inner_id':
      if (path.startsWith('/incoming-feeds')) return byName(namesOf(incomingFeeds.flatMap((feed) => feed.blobs)))
      if (path.startsWith('/playbooks')) return byName(namesIn(world, 'playbook_runs'))
      if (path.startsWith('/consolidation-rules')) return byName(namesIn(world, 'consolidation_configurations'))
      if (path.startsWith('/webhooks')) return byName(namesOf(webhooks).map((name) => `delivery of ${name}`))
      return [() => '1']
    case 'run':
      return path.startsWith('/outgoing-feed-download')
        ? [() => 'latest', ...byName(blocks.map(runOf))]
        : byName(namesOf(runs))
    case 'block':
      return byName(blocks)
    case 'object_id':
      return namesOf(outgoingFeeds.flatMap((feed) => feed.objects)).map(
        (name) => (instance) => `tool--${id(instance, name)}`,
      )
    default:
      return [() => 'manifest.json']
  }
}

function relatedTo(world: World, path: string, subject: Collection | undefined): Choice[] {
  const field = /\/:id\/(\w+)\/:relation_id/.exec(path)?.[1]
  const storage = subject && resourceMap.get(subject)?.fields[field ?? '']?.props.storage
  if (field === 'attacks') return ATTACKS.map((attack) => () => attack)
  const names = storage && storage.kind === 'refs' ? namesIn(world, storage.to) : []
  return byName(names)
}
