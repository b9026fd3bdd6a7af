// The features that faces mount in place of the real one.

export const features = {
  empty: () => null,
  plain: PlainFeature,
  tall: TallFeature,
  failing: FailingFeature,
};

/** HTML of every kind without a style of its own. */
function PlainFeature() {
  return (
    <>
      <h2>Notes</h2>
      <p>
        Three of <a href="#notes">twelve notes</a>, the newest first:
      </p>
      <ul>
        <li>Milk</li>
        <li>
          Bread, <code>rye</code>
        </li>
      </ul>
      <form>
        <p>
          <label htmlFor="note">Note</label> <input id="note" placeholder="Cheese" />
        </p>
        <p>
          <label htmlFor="list">List</label>{' '}
          <select id="list">
            <option>Shopping</option>
          </select>
        </p>
        <p>
          <label htmlFor="more">More</label>
          <br />
          <textarea id="more" rows={2} />
        </p>
        <fieldset>
          <legend>When</legend>
          <label>
            <input type="radio" name="when" defaultChecked /> Today
          </label>{' '}
          <label>
            <input type="radio" name="when" /> Later
          </label>
        </fieldset>
        <p>
          <label>
            <input type="checkbox" defaultChecked /> Tell me
          </label>{' '}
          <label>
            <input type="checkbox" disabled /> By letter
          </label>
        </p>
        <p>
          <label htmlFor="urgency">Urgency</label> <input id="urgency" type="range" />
        </p>
        <p>
          <button type="button">Add</button>{' '}
          <button type="button" className="primary">
            Add and close
          </button>{' '}
          <button type="button" disabled>
            Undo
          </button>
        </p>
      </form>
      <table>
        <thead>
          <tr>
            <th>Shop</th>
            <th>Open until</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <td>Market</td>
            <td>18:00</td>
          </tr>
        </tbody>
      </table>
      <details>
        <summary>Older notes</summary>
        <p>None.</p>
      </details>
    </>
  );
}

/** Taller than the maximum height of a popup. */
function TallFeature() {
  return (
    <ol>
      {Array.from({ length: 60 }, (_, index) => (
        <li key={index}>A line of a feature that has much to show</li>
      ))}
    </ol>
  );
}

function FailingFeature(): never {
  throw new Error('This feature fails on purpose.');
}
