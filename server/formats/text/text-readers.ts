import type { Reader } from '../finding.ts'

/** The readers of text formats, each loaded with the first document of its kind. */
export const TEXT_READERS = {
  html: async (): Promise<Reader> => (await import('./read-html.ts')).readHtml,
  markdown: async (): Promise<Reader> => (await import('./read-markdown.ts')).readMarkdown,
  email: async (): Promise<Reader> => (await import('./read-email.ts')).readEmail,
  pdf: async (): Promise<Reader> => (await import('./read-pdf.ts')).readPdf,
  docx: async (): Promise<Reader> => (await import('./read-docx.ts')).readDocx,
  text: async (): Promise<Reader> => (await import('./read-text.ts')).readText,
}

export type TextFormat = keyof typeof TEXT_READERS
