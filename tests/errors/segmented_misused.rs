accelerate! {
    pub fn f(rows: &Segmented<f32>, m: &Matrix<f32>, lengths: &Vector<u32>) -> Segmented<f32> {
        let a = Segmented::new(m, &lengths);
        let b = Segmented::new(m.flatten());
        let c = Segmented::new(m.flatten(), 3);
        let d = Segmented::from_vecs(m);
        let e = rows.map(|row| row);
        let g = rows.sum();
        let h = rows.map_segments(|row| row.chunks(2).map(|pair| pair));
        let i = rows.map_segments(|row| Some(1));
        let j = rows.map_segments(|row| rows);
        let k = rows.map_segments(|row, i| row);
        let l = m.rows().map(|row| rows);
        let n = rows.lenghts();
        let o: Segmented<Vector<f32>> = rows;
        let p = generate((2, 3, 4), |(i, j, k)| i + j + k).outer().map_segments(|plane| plane.flatten());
        let q = m.rows().zip(m.rows()).map_segments(|(a, b)| a);
        rows.map_segments()
    }
}
