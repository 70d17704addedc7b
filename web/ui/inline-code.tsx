/** A text in which parts between backticks are code. */
export const InlineCode = ({ text }: { readonly text: string }) =>
  text.split('`').map((part, i) =>
    i % 2 === 1 ? (
      <span key={[String(i), part].join(' ')} className="code">
        {part}
      </span>
    ) : (
      part
    ),
  )
