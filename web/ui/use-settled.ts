import { useEffect, useState } from 'react'

/** Whether something has been so for a moment: what it shows has been drawn by then, and what takes longer may begin. */
export function useSettled(is: boolean, ms = 120): boolean {
  const [isSettled, setIsSettled] = useState(false)
  useEffect(() => {
    if (!is) return setIsSettled(false)
    const later = setTimeout(() => setIsSettled(true), ms)
    return () => clearTimeout(later)
  }, [is, ms])
  return is && isSettled
}
