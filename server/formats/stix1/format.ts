import { countEntitiesAndRelationships, type Format } from '../format.ts'

export const stix1 = {
  kind: 'stix-1',
  read: async () => ({ read: (await import('./read/read-stix1.ts')).readStix1, versionedBy: 'timestamp' }),
  mistakenFor: ['xml'],
  olderUrns: [
    'urn:stix.mitre.org:xml:1.0',
    'urn:stix.mitre.org:xml:1.0.1',
    'urn:stix.mitre.org:xml:1.1',
    'urn:stix.mitre.org:xml:1.1.1',
  ],
  contentTypes: [
    {
      urn: 'urn:stix.mitre.org:xml:1.2',
      name: 'stix1',
      doc: 'STIX 1.2 package',
      mediaType: 'application/xml',
      extension: 'stix.xml',
      hasObservables: true,
      write: async () => (await import('./write/write-stix1.ts')).writeStix1,
      feed: {
        strategies: ['REPLACE', 'APPEND'],
        items: async () => (await import('../items/document-items.ts')).componentItems,
        countItems: countEntitiesAndRelationships,
        hasNestedRelationships: true,
      },
    },
  ],
} as const satisfies Format
