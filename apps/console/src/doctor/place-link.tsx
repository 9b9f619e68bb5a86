import { Link } from '@tanstack/react-router';

/** A page of the console where something that the doctor names is done. */
export interface Place {
  readonly to: '/origins' | '/endpoints' | '/api-keys' | '/settlements' | '/tenants' | '/certify';
  readonly label: string;
}

/** The link to a place, after a sentence. */
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
