import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import type { Adversaries, Adversary } from './adversaries.ts'

/** The facts about groups, software and campaigns that come with the product: names and ids, and no sentence of the publisher. */
export interface AdversaryFacts {
  readonly version: string
  readonly adversaries: readonly {
    readonly id: string
    readonly external_id: string
    readonly name: string
    readonly aliases: readonly string[]
    /** A day. */
    readonly created: string
    readonly first_seen?: string
    readonly last_seen?: string
    readonly techniques: readonly string[]
  }[]
  /** The ends are positions in the list of adversaries. */
  readonly links: readonly {
    readonly id: string
    readonly type: string
    readonly source: number
    readonly target: number
  }[]
}

const FILE = new URL('adversary-facts.json.br', import.meta.url)

/** The facts that came with the product. */
export async function readAdversaryFacts(): Promise<AdversaryFacts> {
  return JSON.parse((await promisify(brotliDecompress)(await readFile(FILE))).toString())
}

/** What the product carries of official bundles. */
export function factsOf({ adversaries, links }: Adversaries, version: string): AdversaryFacts {
  const positions = new Map(adversaries.map(({ object }, i) => [object.id, i]))
  return {
    version,
    adversaries: adversaries.map(({ object, externalId, techniques }) => ({
      id: object.id,
      external_id: externalId,
      name: String(object.name),
      aliases: aliasesOf(object),
      created: String(object.created).slice(0, 10),
      ...(typeof object.first_seen === 'string' && { first_seen: object.first_seen }),
      ...(typeof object.last_seen === 'string' && { last_seen: object.last_seen }),
      techniques,
    })),
    links: links.map(({ id, relationship_type, source_ref, target_ref }) => ({
      id,
      type: String(relationship_type),
      source: positions.get(String(source_ref)) ?? 0,
      target: positions.get(String(target_ref)) ?? 0,
    })),
  }
}

/** The objects that the facts describe. They are older than those of official bundles, which therefore replace them. */
export function adversariesOf({ version, adversaries, links }: AdversaryFacts): Adversaries {
  return {
    version,
    definitions: [],
    adversaries: adversaries.map(({ external_id, techniques, created, aliases, ...rest }): Adversary => {
      const type = typeOf(rest.id)
      const times = timesOf(created)
      const reference = { source_name: 'mitre-attack', external_id, url: urlOf(type, external_id) }
      return {
        externalId: external_id,
        techniques,
        object: {
          type,
          spec_version: '2.1',
          ...rest,
          ...times,
          ...(type === 'malware' && { is_family: true }),
          ...(aliases.length > 0 && { aliases }),
          external_references: [reference],
        },
      }
    }),
    links: links.map(({ id, type, source, target }) => ({
      type: 'relationship',
      spec_version: '2.1',
      id,
      ...timesOf(adversaries[source]?.created ?? ''),
      relationship_type: type,
      source_ref: adversaries[source]?.id,
      target_ref: adversaries[target]?.id,
    })),
  }
}

/** The other names of an adversary. Those of software are in a property of their own. */
export const aliasesOf = ({ name, aliases, x_mitre_aliases }: Readonly<Record<string, unknown>>): string[] => {
  const all = Array.isArray(aliases) ? aliases : Array.isArray(x_mitre_aliases) ? x_mitre_aliases : []
  return all.filter((alias) => typeof alias === 'string' && alias !== '' && alias !== name)
}

const typeOf = (id: string): string => id.slice(0, id.indexOf('--'))

const timesOf = (day: string) => ({ created: `${day}T00:00:00.000Z`, modified: `${day}T00:00:00.000Z` })

function urlOf(type: string, externalId: string): string {
  const folder = type === 'intrusion-set' ? 'groups' : type === 'campaign' ? 'campaigns' : 'software'
  return `https://attack.mitre.org/${folder}/${externalId}`
}
