import type { Format } from '../format.ts'

export const stix2 = {
  kind: 'stix-2',
  read: async (_, reading) => ({
    read: (await import('./read-stix2.ts')).stix2Reader(reading),
    versionedBy: 'modified',
    isWholeFirst: true,
  }),
  mistakenFor: ['json'],
  olderUrns: ['urn:oasis:stix:json:2.0'],
  contentTypes: [
    {
      urn: 'urn:oasis:stix:json:2.1',
      name: 'stix2',
      doc: 'STIX 2.1 bundle',
      mediaType: 'application/stix+json;version=2.1',
      extension: 'stix.json',
      hasObservables: true,
      write: async () => (await import('./write-stix2.ts')).writeStix2,
      feed: {
        strategies: ['REPLACE', 'APPEND'],
        items: async () => (await import('../items/stix-items.ts')).stixItems,
        // The writer emits the start of a bundle, one piece per object, and the end; an empty bundle is one piece.
        countItems: ({ pieces }) => Math.max(0, pieces - 2),
        assemble: async () => ({ join: (await import('./write-stix2.ts')).bundleOf }),
        hasVersions: true,
      },
    },
  ],
} as const satisfies Format
