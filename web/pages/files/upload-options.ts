import type { UploadFields } from '../../api/upload.ts'

/** What is to be made of uploaded files. */
export interface UploadOptions {
  readonly process: boolean
  readonly source: string
  readonly tlp_color: string
  readonly workspaces: readonly string[]
  readonly tags: readonly string[]
  readonly csv_mapping: string
  readonly password: string
}

export const NO_OPTIONS: UploadOptions = {
  process: true,
  source: '',
  tlp_color: '',
  workspaces: [],
  tags: [],
  csv_mapping: '',
  password: '',
}

/** The fields of the form for these options; what is not chosen is left to the server. */
export function fieldsOf({ process, workspaces, tags, ...texts }: UploadOptions): UploadFields {
  return {
    ...Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== '')),
    ...(!process && { process: 'false' }),
    // As JSON: a tag may look like a list itself.
    ...(workspaces.length > 0 && { workspaces: JSON.stringify(workspaces.map(Number)) }),
    ...(tags.length > 0 && { tags: JSON.stringify(tags) }),
  }
}
