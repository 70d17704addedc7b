import { countEntitiesAndRelationships, type FeedContent, type Format } from '../format.ts'

/** An event contains several entities as a unit, so feeds can only publish all of them. */
const feed = {
  strategies: ['REPLACE'],
  items: async () => (await import('../items/document-items.ts')).platformItems,
  countItems: countEntitiesAndRelationships,
} as const satisfies FeedContent

export const misp = {
  kind: 'misp',
  read: async () => ({ read: (await import('./read-misp.ts')).readMisp, versionedBy: 'modified' }),
  mistakenFor: ['json'],
  contentTypes: [
    {
      urn: 'urn:misp:json:1.0',
      name: 'misp',
      doc: 'MISP events',
      mediaType: 'application/json',
      extension: 'misp.json',
      hasObservables: true,
      write: async () => (await import('./write/write-misp.ts')).writeMisp,
      feed,
    },
    {
      urn: 'urn:misp:feed:1.0',
      name: 'misp-feed',
      doc: 'the folder of a MISP feed in one archive',
      mediaType: 'application/zip',
      extension: 'misp-feed.zip',
      hasObservables: true,
      isWrittenOnly: true,
      write: async () => (await import('./write/write-misp.ts')).writeMispFeed,
      feed,
    },
  ],
} as const satisfies Format

/** Files of the public collection of galaxies, and exports of clusters. */
export const mispGalaxy = {
  kind: 'misp-galaxy',
  read: async () => ({ read: (await import('./galaxy-files.ts')).readGalaxyFile, versionedBy: 'modified' }),
  contentTypes: [],
} as const satisfies Format
