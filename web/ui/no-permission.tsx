import { EmptyState } from './empty-state.tsx'

/** Shown in place of a page that the user lacks the permission for. */
export function NoPermission({ permission }: { readonly permission: string }) {
  return (
    <EmptyState title="You may not see this page">
      It needs the permission “{permission}”. An administrator can give it to one of your roles.
    </EmptyState>
  )
}
