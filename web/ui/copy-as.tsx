import { Button, CopyButton } from '@mantine/core'

/** Puts a text into the clipboard, and says so. */
export const CopyAs = ({ text, label = 'Copy' }: { readonly text: string; readonly label?: string }) => (
  <CopyButton value={text}>
    {({ copied, copy }) => (
      <Button size="compact-sm" variant="default" onClick={copy}>
        {copied ? 'Copied' : label}
      </Button>
    )}
  </CopyButton>
)
