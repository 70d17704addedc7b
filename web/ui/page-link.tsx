import { Anchor, type AnchorProps } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

interface PageLinkProps extends AnchorProps {
  readonly to: string
  /** What stands behind the question mark. */
  readonly search?: Readonly<Record<string, string | number | undefined>>
  readonly children: ReactNode
  readonly 'aria-label'?: string
}

/** A link to another page of ours. */
export function PageLink({ to, search, ...rest }: PageLinkProps) {
  // The routes let every page have what it likes in its address, which the types of the router cannot tell.
  const target = { to, ...(search && { search }) } as { to: string }
  return <Anchor size="sm" {...rest} renderRoot={(props) => <Link {...props} {...target} />} />
}
