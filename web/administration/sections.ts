import type { CollectionModel, Verb } from '../generic/collections.ts'

/** A group of collections. */
export interface Section {
  readonly title: string
  readonly collections: readonly CollectionModel[]
}

const SECTIONS: readonly { readonly title: string; readonly slugs: readonly string[] }[] = [
  {
    title: 'Users and permissions',
    slugs: ['users', 'roles', 'groups', 'identity-providers', 'identity-provider-mappings', 'user-identities'],
  },
  {
    title: 'Intelligence',
    slugs: [
      'taxonomies',
      'entity-definitions',
      'custom-attributes',
      'sources',
      'exclusion-lists',
      'csv-mappings',
      'discovery-rules',
    ],
  },
  {
    title: 'Automation',
    slugs: [
      'tasks',
      'webhooks',
      'retention-policies',
      'knowledge-packs',
      'configuration-bundle-producers',
      'content-generation-prompts',
    ],
  },
  { title: 'Logs and records', slugs: ['audit-trail', 'history-events', 'mails', 'content-blocks', 'export-blocks'] },
]

/** The collections that the user can read, by section, and all others. */
export function sectionsOf(
  collections: ReadonlyMap<string, CollectionModel>,
  mayDo: (verb: Verb | undefined) => boolean,
): { readonly sections: readonly Section[]; readonly others: readonly CollectionModel[] } {
  const readable = [...collections.values()].filter(({ verbs }) => mayDo(verbs.list))
  const sections = SECTIONS.map(({ title, slugs }) => ({
    title,
    collections: slugs.flatMap((slug) => readable.find((model) => model.slug === slug) ?? []),
  }))
  const placed = new Set(SECTIONS.flatMap(({ slugs }) => slugs))
  const others = readable.filter(({ slug }) => !placed.has(slug)).sort((a, b) => (a.label < b.label ? -1 : 1))
  return { sections: sections.filter((section) => section.collections.length > 0), others }
}
