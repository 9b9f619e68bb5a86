interface SelectProps {
  name: string;
  label: string;
  value: string;
  /** Shown while no value is selected. */
  placeholder: string;
  options: readonly { value: string; text: string }[];
  onValue: (value: string) => void;
}

/** A choice in the browser's own control. */
export function Select({ name, label, value, placeholder, options, onValue }: SelectProps) {
  return (
    <div class="svc-field">
      <label class="svc-field__label" for={name}>
        {label}
      </label>
      <select
        id={name}
        name={name}
        class="svc-field__input"
        onChange={({ currentTarget }) => onValue(currentTarget.value)}
      >
        {[{ value: '', text: placeholder }, ...options].map((option) => (
          <option key={option.value} value={option.value} selected={option.value === value}>
            {option.text}
          </option>
        ))}
      </select>
    </div>
  );
}
