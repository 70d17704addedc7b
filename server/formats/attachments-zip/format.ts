import { countEntitiesAndRelationships, type Format } from '../format.ts'

export const attachmentsZip = {
  contentTypes: [
    {
      urn: 'urn:eclecticiq.com:attachments-zip:1.0',
      name: 'zip',
      doc: 'the attachments of the entities in one archive',
      mediaType: 'application/zip',
      extension: 'zip',
      hasObservables: false,
      isWrittenOnly: true,
      write: async () => (await import('./write-attachments-zip.ts')).writeAttachmentsZip,
      feed: {
        strategies: ['REPLACE', 'APPEND'],
        items: async () => (await import('../items/document-items.ts')).attachmentItems,
        countItems: countEntitiesAndRelationships,
        hasAttachments: true,
      },
    },
  ],
} as const satisfies Format
