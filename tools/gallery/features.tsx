// The features that faces mount in place of the real one.

const plain = `
  <h2>Notes</h2>
  <p>Three of <a href="#notes">twelve notes</a>, the newest first:</p>
  <ul><li>Milk</li><li>Bread, <code>rye</code></li></ul>
  <form>
    <p><label for="note">Note</label> <input id="note" placeholder="Cheese"></p>
    <p><label for="list">List</label> <select id="list"><option>Shopping</option></select></p>
    <p><label for="more">More</label><br><textarea id="more" rows="2"></textarea></p>
    <fieldset>
      <legend>When</legend>
      <label><input type="radio" name="when" checked> Today</label>
      <label><input type="radio" name="when"> Later</label>
    </fieldset>
    <p>
      <label><input type="checkbox" checked> Tell me</label>
      <label><input type="checkbox" disabled> By letter</label>
    </p>
    <p><label for="urgency">Urgency</label> <input id="urgency" type="range"></p>
    <p>
      <button type="button">Add</button>
      <button type="button" class="primary">Add and close</button>
      <button type="button" disabled>Undo</button>
    </p>
  </form>
  <table>
    <thead><tr><th>Shop</th><th>Open until</th></tr></thead>
    <tbody><tr><td>Market</td><td>18:00</td></tr></tbody>
  </table>
  <details><summary>Older notes</summary><p>None.</p></details>`;

export const features = {
  empty: () => null,
  plain: () => <div dangerouslySetInnerHTML={{ __html: plain }} />,
  tall: () => (
    <ol>
      {Array.from({ length: 60 }, (_, index) => (
        <li key={index}>
          {index % 3 === 0 ? <a href="#line">A link</a> : 'A line'} of a feature that has much to show
        </li>
      ))}
    </ol>
  ),
  failing: (): never => {
    throw new Error('This feature fails on purpose.');
  },
};
