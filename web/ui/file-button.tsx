import { FileButton as Bare, type FileButtonProps } from '@mantine/core'
import type { MouseEvent } from 'react'

// Browsers report no change if the same file is selected again, for example after an error in it was corrected.
const forget = ({ currentTarget }: MouseEvent<HTMLInputElement>) => {
  currentTarget.value = ''
}

/** A button that selects files, also the same ones again. */
export const FileButton = <Multiple extends boolean = false>(props: FileButtonProps<Multiple>) => (
  <Bare {...props} inputProps={{ onClick: forget }} />
)
