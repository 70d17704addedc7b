import { countEntitiesAndRelationships, type Format } from '../format.ts'

const JSON_DOCUMENT = { mediaType: 'application/json', extension: 'json', hasObservables: true } as const

export const platformJson = {
  kind: 'platform-json',
  read: async () => ({ read: (await import('./read-platform-json.ts')).readPlatformJson }),
  mistakenFor: ['json'],
  contentTypes: [
    {
      ...JSON_DOCUMENT,
      urn: 'urn:eclecticiq.com:json:3.2',
      name: 'json',
      doc: 'platform JSON, with nothing left out',
      write: async () => (await import('./write-platform-json.ts')).writePlatformJson,
      feed: {
        strategies: ['REPLACE', 'APPEND'],
        items: async () => (await import('../items/document-items.ts')).platformItems,
        countItems: countEntitiesAndRelationships,
      },
    },
    {
      ...JSON_DOCUMENT,
      urn: 'urn:eclecticiq.com:json:2.0',
      name: 'json2',
      doc: 'platform JSON as older clients read it',
      write: async () => (await import('./write-platform-json.ts')).writePlatformJson2,
      feed: {
        strategies: ['REPLACE', 'APPEND'],
        items: async () => (await import('../items/document-items.ts')).platform2Items,
        countItems: countEntitiesAndRelationships,
      },
    },
  ],
} as const satisfies Format
