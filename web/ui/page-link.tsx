import { Anchor, type AnchorProps } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

interface PageLinkProps extends AnchorProps {
  readonly to: string
  /** Query parameters. */
  readonly search?: Readonly<Record<string, string | number | undefined>>
  readonly children: ReactNode
  readonly 'aria-label'?: string
}

/** A link to another page of the application. */
export function PageLink({ to, search, ...rest }: PageLinkProps) {
  // Query parameters are not part of the route types.
  const target = { to, ...(search && { search }) } as { to: string }
  return <Anchor size="sm" {...rest} renderRoot={(props) => <Link {...props} {...target} />} />
}
