import { DocumentError } from '../document.ts'

/** How much of a PDF document is read. */
export const PDF_LIMITS = { pages: 1_000, characters: 8 * 1024 * 1024 }

/** The contents of a PDF document. */
export interface PdfText {
  readonly pages: readonly string[]
  readonly title: string | undefined
  readonly timestamp: string | undefined
  readonly losses: readonly string[]
}

/** Reads the text of a PDF document. Nothing is executed, rendered or fetched. */
export async function pdfText(bytes: Uint8Array): Promise<PdfText> {
  const { getDocumentProxy } = await import('unpdf')
  const options = {
    isEvalSupported: false,
    enableXfa: false,
    disableFontFace: true,
    useSystemFonts: false,
    useWorkerFetch: false,
    disableAutoFetch: true,
    disableRange: true,
    disableStream: true,
    maxImageSize: 1,
    verbosity: 0,
  }
  const pdf = await getDocumentProxy(bytes, options).catch(refuse)
  try {
    const losses: string[] = []
    const info = await pdf.getMetadata().then(
      ({ info }) => info as Record<string, unknown>,
      () => ({}) as Record<string, unknown>,
    )
    return { pages: await pagesOf(pdf, losses), title: titleIn(info), timestamp: timeIn(info), losses }
  } finally {
    await pdf.cleanup().catch(() => {})
    await pdf.loadingTask.destroy().catch(() => {})
  }
}

type Pdf = Awaited<ReturnType<typeof import('unpdf')['getDocumentProxy']>>

async function pagesOf(pdf: Pdf, losses: string[]): Promise<string[]> {
  const count = Math.min(pdf.numPages, PDF_LIMITS.pages)
  if (count < pdf.numPages) losses.push(`pages: only the first ${count} of ${pdf.numPages} were read`)
  const pages: string[] = []
  let size = 0
  for (let number = 1; number <= count; number++) {
    const page = await pageText(pdf, number).catch((error: unknown) => {
      losses.push(`page ${number}: cannot be read: ${messageOf(error)}`)
      return ''
    })
    size += page.length
    if (size > PDF_LIMITS.characters) {
      losses.push(`pages: the text limit was reached; page ${number} and later pages were not read`)
      break
    }
    pages.push(page)
  }
  return pages
}

async function pageText(pdf: Pdf, number: number): Promise<string> {
  const page = await pdf.getPage(number)
  const { items } = await page.getTextContent()
  const parts: string[] = []
  for (const item of items) if ('str' in item) parts.push(item.str, item.hasEOL ? '\n' : '')
  page.cleanup()
  return parts.join('').trim()
}

function refuse(error: unknown): never {
  const { name = '' } = error as Error
  if (name === 'PasswordException') throw new DocumentError('The PDF document is encrypted with a password.')
  throw new DocumentError(`The PDF document cannot be read: ${messageOf(error)}`)
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error)).slice(0, 200)

/** Many programs set the title to the file name or leave it empty. */
function titleIn({ Title: title }: Record<string, unknown>): string | undefined {
  if (
    typeof title !== 'string' ||
    title.length < 3 ||
    /^(?:untitled|microsoft word - )|\.(?:docx?|pdf|indd)$/i.test(title)
  ) {
    return undefined
  }
  return title
}

/** `D:20240129074207+01'00'` */
function timeIn({ CreationDate: date }: Record<string, unknown>): string | undefined {
  const [
    ,
    year,
    month = '01',
    day = '01',
    hour = '00',
    minute = '00',
    second = '00',
    zone = 'Z',
    hours = '',
    minutes = '00',
  ] = /^(?:D:)?(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?([Z+-])?(?:(\d\d)'?(\d\d)?)?/.exec(String(date ?? '')) ?? []
  if (year === undefined || Number(year) < 1970) return undefined
  const offset = zone === 'Z' || hours === '' ? 'Z' : `${zone}${hours}:${minutes}`
  const time = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}${offset}`)
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString()
}
