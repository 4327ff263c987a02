accelerate! {
    pub fn f(rows: &Segmented<i32>) -> Segmented<i32> {
        rows.map_segments(|row| row.map(|x| row.map(|y| x - y).cumsum().sum()))
    }

    pub fn g(rows: &Segmented<i32>) -> Segmented<i32> {
        rows.map_segments(|row| row.scan1(|a, b| a.max(b).max(row.len() as i32)))
    }

    pub fn h(rows: &Segmented<u32>) -> Vector<u32> {
        rows.map_segments(|row| row.histogram(10).sum())
    }

    pub fn i(rows: &Segmented<i32>) -> Segmented<i32> {
        rows.map_segments(|row| {
            let mut row = row;
            while row.sum() > 0 {
                row = row.map(|x| x / 2);
            }
            row
        })
    }

    pub fn j(rows: &Segmented<i32>) -> Segmented<i32> {
        rows.map_segments(|row| if row[0] > 0 { row.map(|x| 8 / x).sort() } else { row })
    }
}
