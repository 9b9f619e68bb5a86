import { Link } from '@tanstack/react-router';

/** A console page that the doctor recommends for fixing something. */
export interface Place {
  readonly to: '/origins' | '/endpoints' | '/api-keys' | '/settlements' | '/tenants' | '/certify';
  readonly label: string;
}

/** A link to a place, for the end of a sentence. */
export function PlaceLink({ place }: { place: Place | undefined }) {
  if (place === undefined) return null;
  return (
    <>
      {' '}
      <Link to={place.to} className="svc-link">
        {place.label}
      </Link>
    </>
  );
}
