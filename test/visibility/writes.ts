import type { Route } from '../../server/engine/route.ts'
import { resourceMap, routes } from '../../server/registry.ts'
import { type Draft, freshBody, patchBody, targetsOf } from './bodies.ts'
import { namesIn } from './draw.ts'
import { type Instance, id, text } from './instance.ts'
import type { Question } from './questions.ts'
import { subjectOf, WRITTEN } from './routes.ts'
import { ATTACKS, SHARED_TAGS } from './world.ts'

/** The routes that write objects of a world; a world has no files to send and no rules. */
export const writingRoutes: readonly Route[] = routes.filter(
  (route) =>
    route.method !== 'GET' &&
    !/\/:id\/(files|discovery_tasks)|^\/entities\/rules|import-layer$/.test(route.path) &&
    (WRITTEN.some((name) => name === subjectOf(route)) || route.path.startsWith('/tags')),
)

type Scope = Omit<Draft, 'resource'>

/** A random write to a route; undefined if the world has no suitable object. */
export function write(scope: Scope, route: Route): Question | undefined {
  if (route.path.startsWith('/tags')) return tagWrite(scope, route)
  const subject = subjectOf(route)
  const resource = subject && resourceMap.get(subject)
  if (!resource) return undefined
  const draft = { ...scope, resource }
  if (route.path.includes('/:id/comments')) return commentWrite(draft, route)
  if (/\/:id\/\w+/.test(route.path)) return linkWrite(draft, route)
  if (route.method === 'DELETE') return removal(draft, route)
  return route.method === 'PATCH' ? change(draft, route) : creation(draft, route)
}

/** The object to write: a seen one, or an unseen one if that is the aim. */
function ownerOf({ chance, world, seen, resource, aim }: Draft): string | undefined {
  const names = namesIn(world, resource.collection).filter((name) => seen.names.has(name) === (aim !== 'unseen owner'))
  return names.length === 0 ? undefined : chance.pick(names)
}

/** A comment. None exists yet that could be updated or deleted. */
function commentWrite(draft: Draft, route: Route): Question | undefined {
  const owner = draft.aim === 'unseen target' ? undefined : ownerOf(draft)
  if (!owner) return undefined
  const path = (instance: Instance) => urlOf(route).replace(':id', id(instance, owner)).replace(':inner_id', '1')
  return { ...asked(route), path, body: () => ({ data: { text: 'fresh' } }) }
}

function linkWrite(draft: Draft, route: Route): Question | undefined {
  const { chance, aim } = draft
  const field = /\/:id\/(\w+)/.exec(route.path)?.[1] ?? ''
  const owner = ownerOf(draft)
  const isAttack = field === 'attacks'
  const targets = !isAttack ? targetsOf(draft, field) : aim === 'unseen target' ? [] : [chance.pick(ATTACKS)]
  if (!owner || targets.length === 0) return undefined
  const idOf = (instance: Instance, name: string) => (isAttack ? name : id(instance, name))
  const isOne = route.path.endsWith('/:relation_id')
  return {
    ...asked(route),
    path: (instance) =>
      urlOf(route)
        .replace(':id', id(instance, owner))
        .replace(':relation_id', encodeURIComponent(idOf(instance, targets[0] ?? ''))),
    ...(!isOne && { body: (instance) => ({ data: targets.map((name) => idOf(instance, name)) }) }),
  }
}

function removal(draft: Draft, route: Route): Question | undefined {
  const { chance, world, seen, resource, aim } = draft
  const owner = ownerOf(draft)
  if (!owner || aim === 'unseen target') return undefined
  if (route.path.includes('/:id')) {
    return { ...asked(route), path: (instance) => urlOf(route).replace(':id', id(instance, owner)) }
  }
  const others = namesIn(world, resource.collection).filter((name) => seen.names.has(name))
  const doomed = [...new Set([...chance.some(others, 0.3), owner])]
  return { ...asked(route), path: () => urlOf(route), body: (instance) => doomed.map((name) => id(instance, name)) }
}

function change(draft: Draft, route: Route): Question | undefined {
  const owner = ownerOf(draft)
  const patch = patchBody(draft)
  if (!owner || !patch) return undefined
  return {
    ...asked(route),
    path: (instance) => urlOf(route).replace(':id', id(instance, owner)),
    body: (instance) => ({ data: patch(instance) }),
  }
}

function creation(draft: Draft, route: Route): Question | undefined {
  const made = draft.aim === 'unseen owner' ? undefined : freshBody(draft)
  if (!made) return undefined
  const isMany = route.method === 'PUT'
  return {
    ...asked(route),
    path: () => urlOf(route),
    body: (instance) => ({ data: isMany ? [made(instance)] : made(instance) }),
  }
}

/** A tag that only unseen entities have counts as nonexistent. */
function tagWrite({ chance, world, seen, aim }: Scope, route: Route): Question | undefined {
  const all = world.entities.flatMap(({ states }) => states.flatMap(({ tags }) => tags))
  const own = all.filter((tag) => seen.texts.has(tag) === (aim === 'seen') && !isShared(tag))
  const tags = aim === 'seen' ? [...own, ...SHARED_TAGS] : own
  if (tags.length === 0) return undefined
  const tag = chance.pick(tags)
  const into = chance.pick(SHARED_TAGS)
  const nameOf = (instance: Instance) => (isShared(tag) ? tag : text(instance, tag))
  return {
    ...asked(route),
    path: (instance) => urlOf(route).replace(':name', encodeURIComponent(nameOf(instance))),
    body: (instance) => ({ data: { name: into, tags: [nameOf(instance)], into } }),
  }
}

const isShared = (tag: string): boolean => SHARED_TAGS.some((shared) => shared === tag)

const asked = (route: Route): Pick<Question, 'route' | 'method'> => ({ route, method: route.method })

const urlOf = ({ base = '/api/v2', path }: Route): string => `${base}${path}`
