import type { UploadFields } from './upload.ts'

/** How uploaded files are processed. */
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

/** The form fields for these options; unset ones are omitted. */
export function fieldsOf({ process, workspaces, tags, ...texts }: UploadOptions): UploadFields {
  return {
    ...Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== '')),
    ...(!process && { process: 'false' }),
    // As JSON, because a tag may itself look like a list.
    ...(workspaces.length > 0 && { workspaces: JSON.stringify(workspaces.map(Number)) }),
    ...(tags.length > 0 && { tags: JSON.stringify(tags) }),
  }
}
