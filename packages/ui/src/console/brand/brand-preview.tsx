import { defaultAccent, deriveAccent } from '@svc/contract/accent';
import { type FontName, fontStacks } from '@svc/contract/appearance';
import { type CSSProperties, type ReactNode, useEffect, useState } from 'react';
import './brand-preview.css';

/** The corner radius, in pixels, of partners that have not set their own. */
export const defaultRadius = 8;

interface Brand {
  /** The portal's name. */
  name: string;
  accent: string | null;
  /** The corner radius of buttons, in pixels. Null for the default. */
  radius: number | null;
  font: FontName | null;
  theme: 'light' | 'dark' | 'auto';
  /** The page must be allowed to load `url`. */
  logo: { url: string; width: number; height: number } | null;
  /** The URL of the uploaded font. Null if there is none or the page may not load it. */
  fontUrl: string | null;
}

/** The brand on samples of the widget, the experience and a mail. They share the tokens of the real ones. */
export function BrandPreview(brand: Brand) {
  const { accent, radius, font, theme, fontUrl } = brand;
  const [shown, setShown] = useState<'light' | 'dark'>('light');
  const family = useUploadedFont(fontUrl);
  const scheme = theme === 'auto' ? shown : theme;
  const stack = fontStacks[font ?? 'system'];
  const style = {
    ...(accent === null ? {} : { '--svc-brand-accent': accent }),
    '--svc-brand-radius': `${radius ?? defaultRadius}px`,
    '--svc-brand-font': family === null ? stack : `"${family}", ${stack}`,
  } as CSSProperties;
  return (
    <section className="preview" aria-label="Preview">
      <div className="preview__bar">
        <h2 className="preview__title">Preview</h2>
        {theme === 'auto' ? (
          <fieldset className="preview__schemes">
            <legend className="svc-visually-hidden">Scheme of the preview</legend>
            {(['light', 'dark'] as const).map((name) => (
              <label key={name}>
                <input
                  type="radio"
                  name="scheme"
                  checked={shown === name}
                  onChange={() => setShown(name)}
                />
                {name === 'light' ? 'Light' : 'Dark'}
              </label>
            ))}
          </fieldset>
        ) : null}
      </div>
      {/* Inert, so that the samples can be neither used nor read as if they were real. */}
      <div className="svc-brand preview__stage" data-theme={scheme} style={style} inert>
        <Sample name="Widget">
          <WidgetSample />
        </Sample>
        <Sample name="Choosing a plan">
          <ScreenSample
            brand={brand}
            title="How do you want to split it?"
            action="Continue with 4 payments"
          >
            <div className="sample__tiles">
              {[2, 3, 4].map((count) => (
                <span key={count} className="sample__tile" data-chosen={count === 4}>
                  <strong>{count}</strong> payments
                </span>
              ))}
            </div>
            <ScheduleSample paid={0} />
          </ScreenSample>
        </Sample>
        <Sample name="A running plan">
          <ScreenSample brand={brand} title="3 payments left" action="Pay $380.03 now">
            <ScheduleSample paid={1} />
            <span className="svc-link">See your agreement</span>
          </ScreenSample>
        </Sample>
        <Sample name="Mail">
          <MailSample brand={brand} />
        </Sample>
      </div>
    </section>
  );
}

function Sample({ name, children }: { name: string; children: ReactNode }) {
  return (
    <figure className="sample">
      {children}
      <figcaption>{name}</figcaption>
    </figure>
  );
}

function WidgetSample() {
  return (
    <div className="sample__card sample__widget">
      <span className="sample__quiet">Balance</span>
      <strong className="sample__amount">$1,520.12</strong>
      <span>Split it into 2, 3 or 4 payments</span>
      <span className="sample__bars">
        <i />
        <i />
        <i />
        <i />
      </span>
      <span className="svc-button svc-button--block">See my options</span>
      <small>Fees and terms apply. Subject to approval.</small>
    </div>
  );
}

function ScreenSample(props: { brand: Brand; title: string; action: string; children: ReactNode }) {
  const { brand, title, action, children } = props;
  return (
    <div className="sample__card sample__screen">
      <BrandLine brand={brand} />
      <strong className="sample__heading">{title}</strong>
      {children}
      <span className="svc-button svc-button--block">{action}</span>
      <small>Loan provided by the lender.</small>
    </div>
  );
}

function ScheduleSample({ paid }: { paid: number }) {
  const days = ['Today', 'Mon, Mar 8', 'Mon, Mar 15', 'Mon, Mar 22'];
  return (
    <ul className="svc-schedule">
      {days.map((day, index) => (
        <li
          key={day}
          className="svc-schedule__item"
          data-state={index < paid ? 'paid' : index === paid ? 'next' : 'planned'}
        >
          <span className="svc-schedule__when">{index < paid ? 'Paid Mon, Mar 1' : day}</span>
          <span className="svc-schedule__amount">{index === 0 ? '$410.03' : '$380.03'}</span>
        </li>
      ))}
    </ul>
  );
}

/** Mails have no style sheet, so their colors are those that the service writes into them. */
function MailSample({ brand }: { brand: Brand }) {
  const { accent, radius } = brand;
  const colors = deriveAccent(accent ?? defaultAccent.light).light;
  const button = {
    background: colors.accent,
    color: colors.onAccent,
    borderRadius: radius ?? defaultRadius,
  };
  return (
    <div className="sample__mail">
      <BrandLine brand={brand} />
      <span>Hi Jane,</span>
      <span>We’ll take your next payment of $380.03 on Monday, March 8.</span>
      <span className="sample__mail-button" style={button}>
        Open your plan
      </span>
      <small>Loan provided by the lender.</small>
    </div>
  );
}

function BrandLine({ brand: { name, logo } }: { brand: Brand }) {
  return (
    <span className="sample__header">
      {logo === null ? (
        <i className="sample__mark" />
      ) : (
        <img src={logo.url} width={logo.width} height={logo.height} alt="" />
      )}
      <strong>{name}</strong>
    </span>
  );
}

/** Loads the uploaded font for the preview. Returns its family, or null until it has loaded. */
function useUploadedFont(url: string | null): string | null {
  const [loaded, setLoaded] = useState<{ url: string; family: string } | null>(null);
  useEffect(() => {
    if (url === null) return;
    const family = `preview-${url.slice(-20, -6)}`;
    const face = new FontFace(family, `url(${JSON.stringify(url)}) format("woff2")`);
    let left = false;
    face.load().then(
      () => {
        document.fonts.add(face);
        if (!left) setLoaded({ url, family });
      },
      (error) => console.warn('The uploaded font could not be loaded.', error),
    );
    return () => {
      left = true;
      document.fonts.delete(face);
    };
  }, [url]);
  return loaded?.url === url ? loaded.family : null;
}
