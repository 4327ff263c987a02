fn rmse(device: &Device, xs: &Vector<f32>) -> accelerate::Result<f32> {
    accelerate!(device, |xs: &Vector<f32>| xs.sum())
}
