import { EmptyState } from '../ui/empty-state.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { PageLink } from '../ui/page-link.tsx'

/** Shown for an unknown address. */
export function NotFound() {
  return (
    <>
      <PageHead title="Page not found" />
      <EmptyState title="There is no page at this address" action={<PageLink to="/">Go to search</PageLink>}>
        The address may be wrong, or the page may have been removed.
      </EmptyState>
    </>
  )
}
